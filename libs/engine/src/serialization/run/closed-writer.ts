import type { WireClass } from '../plan/wire-class';
import { assertClosedHardened } from '../findings/wire-classes';
import { writerOf } from './writer';

/** Writes a row as JSON for a class. */
export type ClosedWriter = (row: object) => string;

/**
 * Creates a class writer for use outside a route, for data that is sent in pieces. It follows the hardened rules.
 *
 * @throws OpenWireClassError for a class that would send more than it exposes
 */
export function closedWriter(type: WireClass): ClosedWriter {
  assertClosedHardened(type);
  return writerOf(type, {}, { isHardened: true, isStrict: true }).write;
}
