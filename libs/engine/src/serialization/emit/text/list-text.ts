import { prototypeOf } from '../../../shapes/values';
/**
 * The number of elements that are converted to objects at a time: enough to be fast, and few enough to be collected
 * early.
 */
const AT_ONCE = 512;

/**
 * Returns the argument of JSON.stringify for the list elements from `from` up to, but not including, `to`. For unusual lists it
 * returns the value for the whole list, whatever the indices.
 */
export type Take<Element = unknown> = (list: readonly Element[], from: number, to: number) => unknown;

/**
 * Returns the list's text.
 *
 * JSON.stringify writes many values in a single call faster than in separate calls, and as flat text. Concatenated text is a
 * tree of parts, several times its size. A long list is written in several chunks, so that memory never holds much more than the
 * text itself.
 */
export function listText<Element>(list: readonly Element[], take: Take<Element>): string {
  const { length } = list;
  if (length <= AT_ONCE || prototypeOf(list) !== Array.prototype) {
    return JSON.stringify(take(list, 0, length));
  }
  let text = '';
  for (let from = 0; from < length; from += AT_ONCE) {
    const part = JSON.stringify(take(list, from, Math.min(from + AT_ONCE, length)));
    if (part !== '[]') text += (text === '' ? '[' : ',') + part.slice(1, -1);
  }
  return text === '' ? '[]' : `${text}]`;
}
