import { type Bindable } from '../bindable';
import { type PostgresValue } from './postgres-execution';

/** Writes a value in the text format of the protocol. */
export function toPostgres(value: Bindable): PostgresValue {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : String(value);
}
