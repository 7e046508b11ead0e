import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifest as created } from '../create/workspace.mts';
import { subpaths } from './manifest.mts';

const guides = join(import.meta.dirname, '../../../docs/guides');
const preface = `> \`api\` and \`admin\` are the example programs of Sluice: \`api\` is for users, \`admin\` for operators. Your workspace begins with
> \`api\`, and \`npx sluice new app admin --operators\` adds \`admin\`. Files below \`deploy\` are in the repository of Sluice.`;
const elsewhere = '(in the repository of Sluice)';

/** Writes the guides into the package, as a workspace on it reads them. */
export async function writeGuides(folder: string): Promise<void> {
  await mkdir(join(folder, 'guides'));
  for (const name of await readdir(guides))
    await writeFile(join(folder, 'guides', name), asInWorkspace(await readFile(join(guides, name), 'utf8')));
}

/** Returns a guide with the imports and the commands for a workspace that uses the package. Removes links to missing files. */
export function asInWorkspace(guide: string): string {
  return guide
    .replaceAll(/@app\/([a-z-]+)(\/testing)?/g, (alias, name: string, testing = '') =>
      imported(name, testing, alias),
    )
    .replaceAll(/npm run new (?:-- )?/g, 'npx sluice new ')
    .replaceAll(/\[([^\]]*)\]\((?!https?:|#|[a-z-]+\.md)[^)]*\)/g, '$1')
    .replaceAll(/`npm run (?:-s )?([a-z:-]*[a-z])[^`]*`/g, (command, script: string) =>
      script in created.scripts ? command : `${command} ${elsewhere}`,
    )
    .replaceAll(/`[^`]*npx vitest run [^`]*(?:apps|libs)\/[^`]*`/g, `$& ${elsewhere}`)
    .replace(/^(# .*\n)/, `$1\n${preface}\n`);
}

/** A library of the workspace keeps its alias. */
function imported(name: string, testing: string, alias: string): string {
  if (name === 'client') return '@sluice/client';
  const subpath = name === 'service' ? testing.slice(1) : `${name}${testing}`;
  if (subpath === '') return '@sluice/service';
  return `./${subpath}` in subpaths ? `@sluice/service/${subpath}` : alias;
}
