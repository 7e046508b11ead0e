/** A request's caller, as the guard leaves it. */
export type AudienceCaller = Readonly<Record<string, unknown>>;

/** Returns the caller that a request has; `undefined` for a request without a caller. */
export function asCaller(user: unknown): AudienceCaller | undefined {
  return isCaller(user) ? user : undefined;
}

function isCaller(user: unknown): user is AudienceCaller {
  return typeof user === 'object' && user !== null;
}

interface NamedAudience {
  /** The name in `@Expose({ to })` and `@Accept({ from })`, without spaces: `admin`. */
  readonly name: string;
  /** The callers in it, as the OpenAPI description names them: `administrators`. */
  readonly description: string;
}

/** An audience that is decided once a request, such as a role. */
export interface RequestAudience extends NamedAudience {
  /** Returns whether a caller belongs to it. */
  readonly includes: (caller: AudienceCaller) => boolean;
}

/** An audience that is decided for each row, by the member that `@OwnedBy()` names. */
export interface OwnerAudience extends NamedAudience {
  /** Returns the value that a caller's rows have in that member; `undefined` if a caller owns no rows. */
  readonly ownerOf: (caller: AudienceCaller) => unknown;
}

/** The callers to whom a wire class sends members that other callers do not get. */
export type Audience = RequestAudience | OwnerAudience;

const registered = new Map<string, Audience>();

/**
 * Registers plugins' audiences.
 *
 * @throws TypeError for an empty name, or a name with spaces
 */
export function registerAudiences(audiences: readonly Audience[]): void {
  for (const audience of audiences) {
    if (!/^\S+$/.test(audience.name))
      throw new TypeError(`the audience '${audience.name}' needs a name without spaces`);
    registered.set(audience.name, audience);
  }
}

/** Returns the audience with a name, if a plugin declares it. */
export function audienceNamed(name: string): Audience | undefined {
  return registered.get(name);
}

/** Returns all audiences' names. */
export function audienceNames(): readonly string[] {
  return [...registered.keys()].toSorted();
}

export function isOwnerAudience(audience: Audience): audience is OwnerAudience {
  return 'ownerOf' in audience;
}

/** The audiences that a caller belongs to. */
export interface HeldAudiences {
  /** The audiences that are decided by the request. */
  readonly byRequest: ReadonlySet<string>;
  /** The caller's value for each audience that is decided by the row. */
  readonly owners: ReadonlyMap<string, unknown>;
}

/** Returns the audiences that a caller belongs to. A request without a caller has no audience. */
export function heldBy(caller: AudienceCaller | undefined, names: Iterable<string>): HeldAudiences {
  const [byRequest, owners] = [new Set<string>(), new Map<string, unknown>()];
  for (const name of caller === undefined ? [] : names) {
    const audience = registered.get(name);
    if (audience === undefined || caller === undefined) continue;
    if (isOwnerAudience(audience)) {
      const owner = audience.ownerOf(caller);
      if (owner !== undefined && owner !== null) owners.set(name, owner);
    } else if (audience.includes(caller)) byRequest.add(name);
  }
  return { byRequest, owners };
}
