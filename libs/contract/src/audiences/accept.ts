const accepted = new Map<object, Map<string, readonly string[]>>();

/**
 * Accepts a member from the callers in an audience only: `@Accept({ from: 'admin' })`. For all other callers the member is
 * unknown: a 400, or removed where unknown members are. The request decides, so an owner audience is refused at start.
 *
 * @throws TypeError without an audience
 */
export function Accept({ from }: { readonly from: string | readonly string[] }): PropertyDecorator {
  const names = [from].flat();
  if (names.length === 0)
    throw new TypeError('@Accept({ from: [] }) accepts the member from nobody: remove it');
  return (target, property) => {
    const ofClass = accepted.get(target) ?? new Map<string, readonly string[]>();
    accepted.set(target, ofClass.set(String(property), Object.freeze(names)));
  };
}

/** Returns a member's audiences in {@link Accept}, here or in the nearest ancestor. */
export function acceptedFrom(type: Function, property: string): readonly string[] | undefined {
  return restrictedMembers(type).get(property);
}

/** Returns a class's members that have {@link Accept}, with their audiences. */
export function restrictedMembers(type: Function): ReadonlyMap<string, readonly string[]> {
  const line: [string, readonly string[]][] = [];
  for (let prototype: object | null = type.prototype; prototype; prototype = Object.getPrototypeOf(prototype))
    line.unshift(...(accepted.get(prototype) ?? []));
  return new Map(line);
}

/** Returns whether a class has {@link Accept}. */
export function hasRestrictions(): boolean {
  return accepted.size > 0;
}

/** The suffix that no class has in a name. */
const mark = '\u{10FFFD}';

/** Returns the name under which the pipe finds a member unknown. */
export function hiddenName(name: string): string {
  return name + mark;
}

/** Returns whether {@link hiddenName} made a name. */
export function isHidden(name: string): boolean {
  return name.endsWith(mark);
}

/** Returns a text with the names that the client sent. */
export function shownNames(text: string): string {
  return text.replaceAll(mark, '');
}
