import type { WireClass } from '../plan/wire-class';
import { assertClosedHardened } from '../findings/wire-classes';
import { writerOf } from './writer';

/** Writes a row as the JSON of a class. */
export type ClosedWriter = (row: object) => string;

/**
 * The writer of a class outside of a route: for what is sent in pieces. It has the rules of a hardened program.
 *
 * @throws OpenWireClassError for a class that would send more than it exposes
 */
export function closedWriter(type: WireClass): ClosedWriter {
  assertClosedHardened(type);
  return writerOf(type, {}, { isHardened: true, isStrict: true }).write;
}
