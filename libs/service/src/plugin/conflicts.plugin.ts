import type { Provider } from '@nestjs/common';
import type { Plugin } from './define.plugin';

/** The names that a plugin takes, by the kind of thing that has them. */
type Taken = readonly (readonly [kind: string, names: readonly string[]])[];

/**
 * Refuses plugins that take the same name, or a name that every program has.
 *
 * @param builtIn the names that every program has, by their kind
 * @throws TypeError with a line for each name, and the plugins that take it
 */
export function refuseConflicts(
  plugins: readonly Plugin[],
  builtIn: Readonly<Record<string, readonly string[]>>,
): void {
  const conflicts = [
    ...twice(plugins.map(({ name }) => [name, name] as const)).map(
      ([name]) => `two plugins have the name ${name}: remove one of them from the program`,
    ),
    ...kindsOf(plugins).flatMap((kind) => conflictsOf(kind, plugins, builtIn[kind] ?? [])),
  ];
  if (conflicts.length > 0)
    throw new TypeError(`The plugins of the program contradict each other:\n  ${conflicts.join('\n  ')}`);
}

/**
 * Refuses providers for the same token in two plugins, because Nest would use the provider that comes last.
 *
 * @throws TypeError with a line for each token, and the plugins that provide it
 */
export function refuseProvidedTwice(
  provided: readonly (readonly [plugin: string, provider: Provider])[],
): void {
  const conflicts = twice(provided.map(([plugin, provider]) => [tokenName(provider), plugin] as const));
  if (conflicts.length > 0)
    throw new TypeError(
      `The plugins of the program contradict each other:\n  ${conflicts
        .map(([token, owners]) => `the plugins ${owners.join(' and ')} provide ${token}`)
        .join('\n  ')}`,
    );
}

function kindsOf(plugins: readonly Plugin[]): readonly string[] {
  return [...new Set(plugins.flatMap((plugin) => takenBy(plugin).map(([kind]) => kind)))];
}

function conflictsOf(
  kind: string,
  plugins: readonly Plugin[],
  builtIn: readonly string[],
): readonly string[] {
  const taken = builtIn.map((name) => [name, 'service'] as const);
  const names = plugins.flatMap((plugin) =>
    takenBy(plugin)
      .filter(([entryKind]) => entryKind === kind)
      .flatMap(([, own]) => own.map((name) => [name, plugin.name] as const)),
  );
  return twice([...taken, ...names]).map(
    ([name, owners]) => `the plugins ${owners.join(' and ')} declare the ${kind} ${name}`,
  );
}

function takenBy(plugin: Plugin): Taken {
  const {
    settings = {},
    tables = [],
    commands = [],
    strategies = [],
    factors = [],
    exports = [],
    facets = [],
    audiences = [],
    auditKinds = [],
    jobs = [],
    events = {},
    handlers = [],
    health = [],
    moduleRoutes = {},
  } = plugin;
  return [
    ['setting', Object.keys(settings)],
    ['table', tables.map(({ name }) => name)],
    ['command', commands.map(({ name }) => name)],
    ['strategy', strategies.map(({ name }) => name)],
    ['factor', factors.map(({ kind }) => kind)],
    ['facet', facets.map(({ decorator }) => decorator)],
    ['audience', audiences.map(({ name }) => name)],
    ['audit kind', auditKinds],
    ['health check', health.map(({ name }) => name)],
    ['event', Object.keys(events)],
    ['event handler', handlers.map(({ name }) => name)],
    ['job', jobs.map(({ name }) => name)],
    ['export part', exports.map(({ name }) => name)],
    ['module route', Object.keys(moduleRoutes)],
    ['member', plugin.issuers === undefined ? [] : ['issuers']],
  ];
}

/** Returns each name that is taken twice, by several plugins or by a single plugin. */
function twice(
  names: readonly (readonly [name: string, owner: string])[],
): (readonly [string, readonly string[]])[] {
  const owners = Map.groupBy(names, ([name]) => name);
  return [...owners]
    .filter(([, taken]) => taken.length > 1)
    .map(([name, taken]) => [name, taken.map(([, owner]) => owner)] as const);
}

function tokenName(provider: Provider): string {
  const token = typeof provider === 'function' ? provider : provider.provide;
  return typeof token === 'function' ? token.name : String(token);
}
