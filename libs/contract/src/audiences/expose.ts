import { Expose as ExposeMember, type ExposeOptions } from 'class-transformer';

/** The {@link Expose} options: class-transformer's own, and the audiences. */
export interface ExposeToOptions extends ExposeOptions {
  /** The audiences that are sent the member; by default every caller. */
  readonly to?: string | readonly [string, ...string[]];
}

/**
 * Sends a member, as class-transformer's `@Expose()` does. With `to`, only callers in an audience are sent it:
 * `@Expose({ to: 'self' })`, `@Expose({ to: ['self', 'admin'] })`.
 *
 * An audience is a group for class-transformer, `to:self`. A member with `groups` and `to` needs both, by the group `detail
 * to:self`.
 *
 * @throws TypeError without an audience
 */
export function Expose({ to, ...options }: ExposeToOptions = {}): ClassDecorator & PropertyDecorator {
  if (to === undefined) return ExposeMember(options);
  const names = [to].flat();
  if (names.length === 0) throw new TypeError('@Expose({ to: [] }) sends the member to nobody: remove it');
  const { groups = [] } = options;
  return ExposeMember({
    ...options,
    groups: names.flatMap((name) => (groups.length > 0 ? groups : ['']).map((group) => groupOf(name, group))),
  });
}

function groupOf(audience: string, group: string): string {
  return `${group} to:${audience}`.trimStart();
}

/** A group that {@link Expose} made, in its parts. */
export interface AudienceGroup {
  readonly audience: string;
  /** The group that the route must select; `undefined` if any route sends the member. */
  readonly group: string | undefined;
}

/** Returns the parts in a group that {@link Expose} made; `undefined` for every other group. */
export function readAudienceGroup(group: string): AudienceGroup | undefined {
  const [, needed, audience] = /^(?:(.+) )?to:(\S+)$/s.exec(group) ?? [];
  return audience === undefined ? undefined : { audience, group: needed };
}

const owners = new WeakMap<Function, Map<string, string>>();

/**
 * Names the member by which rows belong to a caller: `@OwnedBy('authorId')`. The row needs the member, which need not be
 * exposed.
 *
 * @param audience the audience that owns the rows; default `self`
 */
export function OwnedBy<const Member extends string>(
  member: Member,
  audience = 'self',
): (type: abstract new (...args: never[]) => { readonly [Name in Member]: unknown }) => void {
  return (type) => {
    owners.set(type, new Map(owners.get(type)).set(audience, member));
  };
}

/** Returns the member that {@link OwnedBy} names for an audience, on the class or its nearest ancestor. */
export function ownerMember(type: Function, audience: string): string | undefined {
  for (let declaring: unknown = type; typeof declaring === 'function';) {
    const member = owners.get(declaring)?.get(audience);
    if (member !== undefined) return member;
    declaring = Object.getPrototypeOf(declaring);
  }
  return undefined;
}
