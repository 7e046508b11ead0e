import type { Release } from './release.mts';

/** What becomes of the store when a workspace goes from one release to another. */
export function storeLines(from: Release, to: Release): string[] {
  const [added, removed] = [namesIn(to, from), namesIn(from, to)];
  if (added.length > 0)
    return [
      `store: the next start, or npx sluice migrate, applies ${added.join(', ')}`,
      refusedBy(from, to).length === 0
        ? `store: programs of ${from.version} run on the migrated store, so that it can be rolled back without a restore`
        : `store: programs of ${from.version} do not start on the migrated store: back up before (npx sluice backup)`,
    ];
  if (removed.length === 0) return [`store: ${to.version} has the tables of ${from.version}`];
  const refused = refusedBy(to, from);
  return [
    refused.length === 0
      ? `store: ${removed.join(', ')} stays applied; programs of ${to.version} run on it`
      : `store: programs of ${to.version} do not start on a store with ${refused.join(', ')}: restore a backup of before`,
  ];
}

/** The migrations of one release that another does not have. */
function namesIn(release: Release, other: Release): string[] {
  const known = new Set(other.migrations.map(({ name }) => name));
  return release.migrations.flatMap(({ name }) => (known.has(name) ? [] : name));
}

/** The migrations of a newer release after which an older one does not start. */
function refusedBy(older: Release, newer: Release): string[] {
  const known = new Set(older.migrations.map(({ name }) => name));
  return newer.migrations.flatMap(({ name, runsSince }) =>
    known.has(name) || runsSince === undefined || known.has(runsSince) ? [] : name,
  );
}
