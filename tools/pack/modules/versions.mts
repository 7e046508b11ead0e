import workspace from '../../../package.json' with { type: 'json' };

const pinned: Readonly<Record<string, string>> = {
  ...workspace.devDependencies,
  ...workspace.dependencies,
  ...workspace.optionalDependencies,
};

/** The version of every package that is published together. */
export const { version, license } = workspace;

/**
 * Returns the versions in the workspace manifest, which the tests have run with.
 *
 * @param range the prefix for each version; by default empty, which allows only that version
 * @throws Error for a package that the manifest does not name
 */
export function versionsOf(names: readonly string[], range: '' | '^' = ''): Record<string, string> {
  return Object.fromEntries(names.toSorted().map((name) => [name, range + versionOf(name)]));
}

function versionOf(name: string): string {
  const pin = pinned[name];
  if (pin === undefined) throw new Error(`${name} is imported by a package, and is not in package.json`);
  return pin;
}
