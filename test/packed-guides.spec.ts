import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from '../tools/pack/create/workspace.mts';
import { asInWorkspace } from '../tools/pack/service/guides.mts';

const folder = join(__dirname, '../docs/guides');
const names = readdirSync(folder);
/** What is run in the repository of Sluice to create a workspace. */
const beforehand = new Set(['pack:packages']);

describe('a guide in a created workspace', () => {
  it('imports the package, and libraries of the workspace by their alias', () => {
    const text =
      "'@app/service' '@app/auth' '@app/service/testing' '@app/contract/testing' '@app/client' '@app/pricing'";
    expect(asInWorkspace(text)).toBe(
      "'@sluice/service' '@sluice/service/auth' '@sluice/service/testing' '@sluice/service/contract/testing' '@sluice/client' '@app/pricing'",
    );
  });

  it.each(names)('names only what the workspace has: %s', (name) => {
    const guide = asInWorkspace(readFileSync(join(folder, name), 'utf8'));
    const aliases = guide.match(/@app\/[a-z-]+/g) ?? [];
    const foreign = aliases.filter((alias) => !['@app/pricing', '@app/auth'].includes(alias));
    expect(foreign).toEqual([]);
    const own = guide.replaceAll(/`[^`]*` \(in the repository of Sluice\)/g, '');
    const scripts = [...own.matchAll(/npm run (?:-s )?([a-z:-]+[a-z])/g)].map(([, script = '']) => script);
    expect(scripts.filter((script) => !(script in manifest.scripts) && !beforehand.has(script))).toEqual([]);
    const links = [...guide.matchAll(/\]\((?!https?:|#)([\w-]+\.md)?/g)].map(([, page]) => page ?? 'nothing');
    expect(links.filter((page) => !names.includes(page))).toEqual([]);
  });
});
