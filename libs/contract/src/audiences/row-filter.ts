import { audienceNamed, type HeldAudiences, isOwnerAudience } from './audience';
import { addressedMembers, nestedMembers } from './addressed-members';
import { ownerMember } from './expose';

/** Returns a row as a caller gets it: without the members for owners, unless the row is the caller's. */
export type RowFilter = (row: unknown, owners: ReadonlyMap<string, unknown>) => unknown;

/**
 * Makes the filter for a class's rows and their nested rows. A row that loses members is copied.
 *
 * @param byRequest the caller's audiences that the request decides
 * @returns `undefined` if no member depends on the row
 */
export function rowFilter(type: Function, byRequest: HeldAudiences['byRequest']): RowFilter | undefined {
  return dependsOnRow(type, byRequest) ? filterOf(type, byRequest, new Map()) : undefined;
}

/** A member that is sent to a row's owners. */
interface OwnedMember {
  readonly property: string;
  /** The audiences that own rows. */
  readonly byRow: readonly string[];
  /** The member with the owner, by audience. */
  readonly ownedBy: readonly (readonly [audience: string, ownerMember: string])[];
}

/** Returns a class's members that the request does not decide. */
export function ownedMembers(type: Function, byRequest: HeldAudiences['byRequest']): readonly OwnedMember[] {
  return addressedMembers(type).flatMap(({ property, to }) => {
    if (to.some((name) => byRequest.has(name))) return [];
    const byRow = to.filter((name) => {
      const audience = audienceNamed(name);
      return audience !== undefined && isOwnerAudience(audience);
    });
    const ownedBy = byRow.flatMap((name): [string, string][] => {
      const member = ownerMember(type, name);
      return member === undefined ? [] : [[name, member]];
    });
    return byRow.length > 0 ? [{ property, byRow, ownedBy }] : [];
  });
}

/** Returns whether a member in a class or a nested class depends on the row. */
export function dependsOnRow(
  type: Function,
  byRequest: HeldAudiences['byRequest'],
  seen = new Set<Function>(),
): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return (
    ownedMembers(type, byRequest).length > 0 ||
    nestedMembers(type).some((member) => dependsOnRow(member.type, byRequest, seen))
  );
}

function filterOf(
  type: Function,
  byRequest: HeldAudiences['byRequest'],
  filters: Map<Function, RowFilter>,
): RowFilter {
  const existing = filters.get(type);
  if (existing !== undefined) return existing;
  const members = ownedMembers(type, byRequest);
  const parts: { readonly property: string; readonly filter: RowFilter }[] = [];
  const filter: RowFilter = (row, owners) => {
    if (typeof row !== 'object' || row === null) return row;
    if (Array.isArray(row)) return row.map((item) => filter(item, owners));
    if (row instanceof Map || row instanceof Set)
      throw new TypeError(`rows of ${type.name} must be in an array, because each row decides what is sent`);
    let changes: Record<string, unknown> | undefined;
    for (const { property, ownedBy } of members)
      if (Reflect.get(row, property) !== undefined && !isOwn(row, ownedBy, owners))
        (changes ??= {})[property] = undefined;
    for (const part of parts) {
      if (changes !== undefined && Object.hasOwn(changes, part.property)) continue;
      const value: unknown = Reflect.get(row, part.property);
      const filtered = part.filter(value, owners);
      if (filtered !== value) (changes ??= {})[part.property] = filtered;
    }
    return changes === undefined ? row : withChanges(row, changes);
  };
  filters.set(type, filter);
  for (const { property, type: nested } of nestedMembers(type))
    if (dependsOnRow(nested, byRequest))
      parts.push({ property, filter: filterOf(nested, byRequest, filters) });
  return filter;
}

function isOwn(row: object, ownedBy: OwnedMember['ownedBy'], owners: ReadonlyMap<string, unknown>): boolean {
  return ownedBy.some(
    ([audience, member]) => owners.has(audience) && owners.get(audience) === Reflect.get(row, member),
  );
}

/** Copies a row. An instance's copy keeps its class. */
function withChanges(row: object, changes: Readonly<Record<string, unknown>>): object {
  const prototype: object | null = Object.getPrototypeOf(row);
  if (prototype === Object.prototype) return { ...row, ...changes };
  return Object.create(prototype, {
    ...Object.getOwnPropertyDescriptors(row),
    ...Object.getOwnPropertyDescriptors(changes),
  });
}
