import { readRate } from '@app/settings';
import { type Change, compareRules } from './compare-rules';
import type { RouteFacet } from '../route-description';
import {
  acrossTenantsEntry,
  acrossTenantsFor,
  type Audience,
  type Exposure,
  type RouteExposure,
} from './exposure';

/** The differences between a program and its lock, in lines for a reviewer. */
export interface ExposureChange {
  /** The input or output that was added or may have been added. */
  readonly wider: readonly string[];
  /** The input or output that was removed. The lock is stale and would not detect its return. */
  readonly narrower: readonly string[];
}

/** Compares a program's exposure with its lock. */
export function compareExposures(locked: Exposure, now: Exposure): ExposureChange {
  const differences = Object.keys({ ...locked, ...now }).flatMap((route) =>
    changesOf(entryOf(locked, route), entryOf(now, route)).map(({ isWider, line }) => ({
      isWider,
      line: `${route} ${line}`,
    })),
  );
  const lines = (wider: boolean) =>
    differences.filter(({ isWider }) => isWider === wider).map(({ line }) => line);
  return { wider: lines(true), narrower: lines(false) };
}

/** Returns an entry. An absent list of statements is an empty list. */
function entryOf(exposure: Exposure, name: string): RouteExposure | undefined {
  return exposure[name] ?? (name === acrossTenantsEntry ? acrossTenantsFor([]) : undefined);
}

const words: Readonly<Record<Audience, string>> = {
  anyone: 'anyone',
  user: 'any user',
  owner: 'the owner',
  administrator: 'administrators',
};
const widestFirst = Object.keys(words);

function changesOf(before: RouteExposure | undefined, after: RouteExposure | undefined): Change[] {
  if (after === undefined) return [{ isWider: false, line: 'was removed' }];
  if (before === undefined) return [{ isWider: true, line: `is new, for ${words[after.audience]}` }];
  return [
    ...audienceChanges(before.audience, after.audience),
    ...listChanges(
      before.strategies,
      after.strategies,
      (name) => `callers by the strategy '${name}'`,
      'accepts',
    ),
    ...roleChanges(before.roles, after.roles),
    ...scopeChanges(before.scopes, after.scopes),
    ...facetChanges(facetsOf(before), facetsOf(after)),
    ...listChanges(
      exceptions(before),
      exceptions(after),
      () => 'callers who must change the password',
      'accepts',
    ),
    ...rateChanges(before.rateLimit, after.rateLimit),
    ...signatureChanges(before.signedBy, after.signedBy),
    ...deprecationChanges(before, after),
    ...unknownChanges(before.unknownMembers, after.unknownMembers),
    ...acceptedChanges(before.accepts, after.accepts),
    ...listChanges(before.sends, after.sends, (member) => member, 'sends'),
    ...receiverChanges(before, after),
    ...listChanges(before.schemas ?? [], after.schemas ?? [], (name) => `the schema ${name}`, 'uses'),
  ];
}

function audienceChanges(before: Audience, after: Audience): Change[] {
  if (before === after) return [];
  const isWider = widestFirst.indexOf(after) < widestFirst.indexOf(before);
  return [{ isWider, line: `is for ${words[after]}; it was for ${words[before]}` }];
}

/** A route without roles allows every role. */
function roleChanges(before: readonly string[], after: readonly string[]): Change[] {
  if (before.length > 0 && after.length > 0)
    return listChanges(before, after, (role) => `callers of the role ${role}`, 'accepts');
  if (after.length > 0) return [{ isWider: false, line: `requires the role ${after.join(' or ')}` }];
  return before.length > 0
    ? [{ isWider: true, line: `no longer requires the role ${before.join(' or ')}` }]
    : [];
}

/**
 * Compares the required scopes. A removed scope makes the route wider. The strategies report routes that no longer accept
 * restricted callers.
 */
function scopeChanges(before: readonly string[] | undefined, after: readonly string[] | undefined): Change[] {
  if (before === undefined || after === undefined) return [];
  const less = before.filter((scope) => !after.includes(scope));
  const more = after.filter((scope) => !before.includes(scope));
  return [
    ...less.map((scope) => ({ isWider: true, line: `no longer requires the scope ${scope}` })),
    ...more.map((scope) => ({ isWider: false, line: `requires the scope ${scope}` })),
  ];
}

type Facets = Readonly<Record<string, RouteFacet['value']>>;

function facetsOf(exposure: RouteExposure): Facets {
  return Object.fromEntries(Object.entries(exposure).filter(isFacet));
}

/** The lists that every route has, besides the lists of facets. */
const routeLists: ReadonlySet<string> = new Set(['strategies', 'roles', 'scopes', 'sends', 'schemas']);

/** Returns whether an entry is a facet, since only facets are `true`, a number or a further list. */
function isFacet(entry: [string, unknown]): entry is [string, RouteFacet['value']] {
  const [name, value] = entry;
  return value === true || typeof value === 'number' || (Array.isArray(value) && !routeLists.has(name));
}

function facetChanges(before: Facets, after: Facets): Change[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (isList(was) && isList(is)) return facetListChanges(name, was, is);
    if (was === is) return [];
    const line = `has ${facetText(name, is)}; it had ${facetText(name, was)}`;
    return [{ isWider: maximumOf(is) > maximumOf(was), line }];
  });
}

/** A single entry suffices, so that an added entry makes the route wider. */
function facetListChanges(name: string, before: readonly string[], after: readonly string[]): Change[] {
  return [
    ...after
      .filter((entry) => !before.includes(entry))
      .map((entry) => ({ isWider: true, line: `${name}: now also \`${entry}\`` })),
    ...before
      .filter((entry) => !after.includes(entry))
      .map((entry) => ({ isWider: false, line: `${name}: no longer \`${entry}\`` })),
  ];
}

function isList(value: Facets[string] | undefined): value is readonly string[] {
  return Array.isArray(value);
}

/** Returns the maximum in a facet; a smaller maximum is stricter. A route without the facet accepts every caller. */
function maximumOf(value: Facets[string] | undefined): number {
  if (value === undefined) return Infinity;
  return isList(value) ? 1 : Number(value);
}

function facetText(name: string, value: Facets[string] | undefined): string {
  if (value === undefined) return `no ${name}`;
  if (value === true) return name;
  return `${name} ${isList(value) ? value.join(', ') : value}`;
}

function exceptions({ beforePasswordChange }: RouteExposure): string[] {
  return beforePasswordChange === undefined ? [] : [beforePasswordChange];
}

/** Returns the allowed requests per second. It is infinite for a missing limit, or a limit from a setting. */
function allowed(limit: string | undefined): number {
  const rate = limit === undefined ? undefined : readRate(limit);
  return rate ? rate.limit / rate.windowSeconds : Infinity;
}

/** A route is also wider with another scheme, because its senders are others. */
function signatureChanges(before: string | undefined, after: string | undefined): Change[] {
  if (before === after) return [];
  const line =
    after === undefined ? `needs no signature; it needed ${before}` : `needs the signature ${after}`;
  return [{ isWider: before !== undefined, line }];
}

function deprecationChanges(before: RouteExposure, after: RouteExposure): Change[] {
  const [was, is] = [deprecationText(before), deprecationText(after)];
  return was === is ? [] : [{ isWider: after.deprecated === undefined, line: `is ${is}; it was ${was}` }];
}

function deprecationText({ deprecated, sunset }: RouteExposure): string {
  if (deprecated === undefined) return 'not deprecated';
  return `deprecated since ${deprecated}, until ${sunset ?? 'removed'}`;
}

function rateChanges(before: string | undefined, after: string | undefined): Change[] {
  if (before === after) return [];
  const line = `has the rate limit ${after ?? 'of the settings'}; it was ${before ?? 'that of the settings'}`;
  return [{ isWider: allowed(after) >= allowed(before), line }];
}

function unknownChanges(before: string | undefined, after: string | undefined): Change[] {
  if (before === after) return [];
  const line = after === undefined ? 'rejects unknown members' : 'removes unknown members';
  return [{ isWider: after !== undefined, line }];
}

function acceptedChanges(before: RouteExposure['accepts'], after: RouteExposure['accepts']): Change[] {
  return Object.keys({ ...before, ...after }).flatMap((member) => {
    const [was, is] = [before[member], after[member]];
    if (was === undefined) return [{ isWider: true, line: `accepts ${member} (${is?.join(', ')})` }];
    if (is === undefined) return [{ isWider: false, line: `no longer accepts ${member}` }];
    return compareRules(member, was, is);
  });
}

/** Compares the audiences of the members that both programs send. */
function receiverChanges(before: RouteExposure, after: RouteExposure): Change[] {
  return after.sends
    .filter((path) => before.sends.includes(path))
    .flatMap((path): Change[] => {
      const [was, is] = [before.audiences?.[path], after.audiences?.[path]];
      if (was === undefined && is === undefined) return [];
      if (is === undefined)
        return [{ isWider: true, line: `sends ${path} to every caller; it was for ${was?.join(' or ')}` }];
      if (was === undefined) return [{ isWider: false, line: `sends ${path} only to ${is.join(' or ')}` }];
      return listChanges(was, is, (name) => `${path} to \`${name}\``, 'sends');
    });
}

function listChanges(
  before: readonly string[],
  after: readonly string[],
  word: (item: string) => string,
  verb: string,
): Change[] {
  const more = after.filter((item) => !before.includes(item));
  const less = before.filter((item) => !after.includes(item));
  return [
    ...more.map((item) => ({ isWider: true, line: `${verb} ${word(item)}` })),
    ...less.map((item) => ({ isWider: false, line: `no longer ${verb} ${word(item)}` })),
  ];
}
