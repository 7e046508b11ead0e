import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from '../tools/pack/create/workspace.mts';
import { asInWorkspace } from '../tools/pack/service/guides.mts';

const folder = join(__dirname, '../docs/guides');
const names = readdirSync(folder);
/** The scripts that the Sluice repository runs to create a workspace. */
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
    const elsewhere = /`[^`]*` \(in the repository of Sluice\)/g;
    const own = guide.replaceAll(elsewhere, '');
    const scripts = [...own.matchAll(/npm run (?:-s )?([a-z:-]+[a-z])/g)].map(([, script = '']) => script);
    expect(scripts.filter((script) => !(script in manifest.scripts) && !beforehand.has(script))).toEqual([]);
    const marked = [...guide.matchAll(elsewhere)].flatMap(
      ([command]) => / run (?:-s )?([\w:-]+)/.exec(command)?.[1] ?? [],
    );
    expect(marked.filter((script) => script in manifest.scripts)).toEqual([]);
    const links = [...guide.matchAll(/\]\((?!https?:|#)([\w-]+\.md)?/g)].map(([, page]) => page ?? 'nothing');
    expect(links.filter((page) => !names.includes(page))).toEqual([]);
  });

  it.each(names)('names no application and no folder that it lacks: %s', (name) => {
    const guide = asInWorkspace(readFileSync(join(folder, name), 'utf8'));
    const own = guide.replaceAll(/`[^`]*` \(in the repository of Sluice\)/g, '');
    const created = [...own.matchAll(/npx sluice new app ([a-z-]+)/g)].map(([, application]) => application);
    expect(created).toContain('admin');
    const named = /(?:npm start -- |npm run pack |--app |\bapps\/)([a-z][a-z-]*)/g;
    const applications = [...own.matchAll(named)].map(([, application]) => application);
    const modes = ['packages', 'client'];
    expect(applications.filter((each) => ![...created, ...modes, 'api'].includes(each))).toEqual([]);
    expect(own.match(/(?<![\w/.])(?:libs|tools|benchmarks|scripts)\/[\w-]+/g) ?? []).toEqual([]);
  });
});
