/** How many elements of a list are objects at a time: enough to be quick, few enough to die young. */
const AT_ONCE = 512;

/**
 * Makes what JSON.stringify is given for the elements of a list from one index up to, but not including, another.
 *
 * For a list that is none of the usual kind it is what stands for the whole list, whatever the indices.
 */
export type Take<Element = unknown> = (list: readonly Element[], from: number, to: number) => unknown;

/**
 * The text of a list.
 *
 * JSON.stringify writes many values quicker than one after another, and in one piece: text that is added up is a tree
 * of its parts, several times its size. A long list is written in several goes, so that there is never much more in
 * memory than the text itself.
 */
export function listText<Element>(list: readonly Element[], take: Take<Element>): string {
  const { length } = list;
  if (length <= AT_ONCE || Object.getPrototypeOf(list) !== Array.prototype) {
    return JSON.stringify(take(list, 0, length));
  }
  let text = '';
  for (let from = 0; from < length; from += AT_ONCE) {
    const part = JSON.stringify(take(list, from, Math.min(from + AT_ONCE, length)));
    if (part !== '[]') text += (text === '' ? '[' : ',') + part.slice(1, -1);
  }
  return text === '' ? '[]' : `${text}]`;
}
