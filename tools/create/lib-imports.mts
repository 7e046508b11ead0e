import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hasLibs, root } from '../../scripts/workspace.mts';

/** The libs' package. */
const libs = '@sluice/service';

/** The names of the packaged libs; empty if the libs are sources. */
export const packagedLibs: readonly string[] = hasLibs ? [] : readPackagedLibs();

function readPackagedLibs(): readonly string[] {
  const manifest = createRequire(join(root, 'package.json')).resolve(`${libs}/package.json`);
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(readFileSync(manifest, 'utf8'));
  const names = Object.keys(exports).flatMap((subpath) => /^\.\/([\w-]+)$/.exec(subpath)?.[1] ?? []);
  return ['service', ...names.filter((name) => name !== 'testing')];
}

/** Converts workspace lib imports to the aliases that generators write and read. */
export function asAliases(text: string): string {
  if (hasLibs) return text;
  return text.replaceAll(
    /'@sluice\/service(?:\/(?!testing')([\w-]+))?(\/testing)?'/g,
    (_, name = 'service', testing = '') => `'@app/${name}${testing}'`,
  );
}

/** Converts lib imports to the workspace form: an alias if the libs are sources, otherwise their package. */
export function asInWorkspace(text: string): string {
  if (hasLibs) return text;
  return text.replaceAll(/'@app\/([\w-]+)(\/testing)?'/g, (alias, name, testing = '') => {
    if (!packagedLibs.includes(name)) return alias;
    return `'${libs}${name === 'service' ? '' : `/${name}`}${testing}'`;
  });
}
