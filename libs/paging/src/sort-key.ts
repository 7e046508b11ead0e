import 'reflect-metadata';
import { addressedMembers, readMoment, schemaOf } from '@app/contract';
import type { Finding, WireClass } from '@app/engine';

/** A value by which a list is sorted. */
export type SortValue = string | number | boolean | Date | null;

/** A member by which callers may sort a list. */
export interface SortKey {
  readonly name: string;
  /** Whether rows may have null in the member. */
  readonly hasNulls: boolean;
  /** Reads a cursor value; `undefined` if no row can have it. */
  read(encoded: unknown): SortValue | undefined;
}

/** A member that cannot be sorted or filtered by. */
export type ListFault = Pick<Finding, 'problem' | 'remedy'> & Required<Pick<Finding, 'place'>>;

/**
 * Reads the type of a member from its `@Schema`, or else from the compiler's metadata, which lacks null and integers.
 *
 * @returns a fault unless the type is text, integer, number, boolean or date, with or without null. A decimal stored as text is
 *   also a fault, because its order differs from the numeric order
 */
export function sortKeyOf(type: WireClass, name: string): SortKey | ListFault {
  const { type: declared, format } = schemaOf(type, name)?.keywords ?? {};
  const place = { type, member: name };
  if (format === 'decimal')
    return {
      problem: `a list cannot be sorted by ${type.name}.${name}: decimals are stored as texts, of which 10 comes before 9`,
      remedy: `Store an integer of the smallest unit, such as cents, or remove '${name}' from @Sortable`,
      place,
    };
  if (addressedMembers(type).some(({ property }) => property === name))
    return {
      problem: `a list cannot be sorted by ${type.name}.${name}, because the order would reveal it to callers outside its audiences`,
      remedy: `Remove '${name}' from @Sortable`,
      place,
    };
  const types = [declared ?? reflected(type, name)].flat();
  const [kind, ...others] = types.filter((typeName) => typeName !== 'null');
  const read = readers.get(kind === 'string' && format === 'date-time' ? 'date' : (kind ?? ''));
  if (read === undefined || others.length > 0)
    return {
      problem: `a list cannot be sorted by ${type.name}.${name}, whose type is not known`,
      remedy: "Declare its type, such as @Schema({ type: 'integer' })",
      place,
    };
  return { name, hasNulls: types.includes('null'), read: (encoded) => readOrNull(encoded, types, read) };
}

type Read = SortKey['read'];

function readOrNull(encoded: unknown, types: readonly unknown[], read: Read): SortValue | undefined {
  if (encoded === null) return types.includes('null') ? null : undefined;
  return read(encoded);
}

/** The values that both stores can compare with a column, by type. */
const readers = new Map<string, Read>([
  ['string', (value) => (isText(value) ? value : undefined)],
  ['integer', (value) => (Number.isSafeInteger(value) ? Number(value) : undefined)],
  ['number', (value) => (isNumber(value) ? value : undefined)],
  ['boolean', (value) => (typeof value === 'boolean' ? value : undefined)],
  ['date', readMoment],
]);

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value));
}

const kinds = new Map<unknown, string>([
  [String, 'string'],
  [Boolean, 'boolean'],
  [Date, 'date'],
]);

function reflected({ prototype }: WireClass, name: string): string | undefined {
  return kinds.get(Reflect.getMetadata('design:type', prototype, name));
}
