/** The files that a release writes into a workspace, and its effect on the store. Stored as `release.json` in `@sluice/cli`. */
export interface Release {
  readonly version: string;
  /** Texts by path: the files that `create-sluice` writes and the team keeps unchanged. */
  readonly files: Readonly<Record<string, string>>;
  /** The `package.json` of a workspace, without its name. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The library migrations. `runsSince` names the newest migration of the oldest program that runs afterwards. */
  readonly migrations: readonly { readonly name: string; readonly runsSince?: string | undefined }[];
}

/** Describes the changes that a release makes to the previous release's store. */
export function storeLines({ version, migrations }: Release, next: Release): string[] {
  const present = new Set(migrations.map(({ name }) => name));
  const added = next.migrations.filter(({ name }) => !present.has(name));
  if (added.length === 0) return [`store: ${next.version} has the tables of ${version}`];
  const isReadable = added.every(({ runsSince }) => runsSince === undefined || present.has(runsSince));
  return [
    `store: the next start, or npx sluice migrate, applies ${added.map(({ name }) => name).join(', ')}`,
    isReadable
      ? `store: programs of ${version} run on the migrated store, so that it can be rolled back without a restore`
      : `store: programs of ${version} do not start on the migrated store: back up before (npx sluice backup)`,
  ];
}
