import { type Choice, readTransforms } from '@app/engine';
import { responseGroups } from './response-classes';
import { readAudienceGroup } from './expose';

/** Returns the audiences' names in the rules for a class and its nested classes. */
export function audiencesOf(type: Function): readonly string[] {
  const names = [...responseGroups(type)].flatMap((group) => readAudienceGroup(group)?.audience ?? []);
  return [...new Set(names)].toSorted();
}

/**
 * Returns a response's groups, with the groups for audiences.
 *
 * @param selected the groups that the route selects
 * @param isHeld whether the receiver belongs to an audience; by default to every audience
 */
export function groupsFor(
  type: Function,
  selected: readonly string[] = [],
  isHeld: (audience: string) => boolean = () => true,
): readonly string[] {
  const addressed = [...responseGroups(type)].filter((name) => {
    const { audience, group } = readAudienceGroup(name) ?? {};
    return audience !== undefined && isHeld(audience) && (group === undefined || selected.includes(group));
  });
  return [...new Set([...selected, ...addressed.toSorted()])];
}

/** Returns a response's options, with the groups for every audience. */
export function forEveryAudience<Options extends Choice>(type: Function, options: Options): Options {
  const groups = groupsFor(type, options.groups);
  return groups.length > (options.groups?.length ?? 0) ? { ...options, groups } : options;
}

/**
 * Returns the audiences that are sent a member; `undefined` for a member that every caller is sent.
 *
 * @param groups the groups that the route selects
 */
export function audiencesOfMember(
  type: Function,
  property: string,
  groups: readonly string[] = [],
): readonly string[] | undefined {
  const declared = readTransforms(type).exposeOf.get(property)?.groups ?? [];
  if (declared.some((name) => readAudienceGroup(name) === undefined)) return undefined;
  const names = declared.flatMap((name) => {
    const { audience, group } = readAudienceGroup(name) ?? {};
    return audience !== undefined && (group === undefined || groups.includes(group)) ? [audience] : [];
  });
  return names.length > 0 ? [...new Set(names)].toSorted() : undefined;
}

/** A member that is sent to audiences only. */
export interface AddressedMember {
  readonly property: string;
  readonly to: readonly string[];
}

/** Returns a class's members that have audiences. */
export function addressedMembers(type: Function): readonly AddressedMember[] {
  return [...readTransforms(type).exposeOf].flatMap(([property, { groups = [] }]) => {
    const to = groups.flatMap((name) => readAudienceGroup(name)?.audience ?? []);
    return to.length > 0 ? [{ property, to: [...new Set(to)] }] : [];
  });
}

/** A member with its own class. */
export interface NestedMember {
  readonly property: string;
  readonly type: Function;
}

/** Returns a class's members that have classes, besides members that a discriminator selects. */
export function nestedMembers(type: Function): readonly NestedMember[] {
  return [...readTransforms(type).typeOf].flatMap(([property, { typeFunction, reflectedType }]) => {
    const nested: unknown = typeFunction?.length === 0 ? typeFunction() : reflectedType;
    return typeof nested === 'function' ? [{ property, type: nested }] : [];
  });
}
