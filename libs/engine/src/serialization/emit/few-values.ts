import { isRecord, prototypeOf } from '../../shapes/values';
import { needsReference } from './text/json-text';
import type { ClassWriter } from './values';

/** The most values that are faster to write separately, because JSON.stringify has a higher fixed cost. */
const FEW = 16;

/**
 * Whether an ordinary list contains only a few elements, all of them objects.
 *
 * @param type the required constructor for each element
 */
export function isFewObjects(list: readonly unknown[], type?: Function): list is readonly object[] {
  const { length } = list;
  if (length > FEW || length === 0 || prototypeOf(list) !== Array.prototype) return false;
  for (let at = 0; at < length; at++) if (!isMeant(list[at], type)) return false;
  return true;
}

/** @throws needsReference if a transform has changed the list meanwhile */
export function fewText(list: readonly object[], writer: ClassWriter): string {
  const { length } = list;
  let text = '[';
  for (let at = 0; at < length; at++) {
    const item = list[at];
    if (!isMeant(item)) throw needsReference;
    text += at === 0 ? writer.text(item) : `,${writer.text(item)}`;
  }
  return `${text}]`;
}

function isMeant(item: unknown, type?: Function): boolean {
  if (!isRecord(item)) return false;
  return type === undefined || item.constructor === type;
}
