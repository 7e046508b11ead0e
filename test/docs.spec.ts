import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { fencesOf, headingAnchors } from './pages/markdown';
import { pageModules } from './pages/page-modules.mts';
import { pagesOf } from './pages/pages';
import { typeErrors } from './pages/type-errors';

const root = join(__dirname, '..');
const pages = pagesOf(root);
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Languages of blocks. TypeScript is compiled, JSON and YAML are parsed, commands are compared with the scripts. */
const languages = new Set(['console', 'diff', 'json', 'js', 'sh', 'text', 'ts', 'yaml']);

describe('the pages', () => {
  it.each(pages)('have valid links: %s', (page) => {
    const text = textOf(page);
    const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(
      ([, target]) => target,
    );
    const broken = targets.filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(broken).toEqual([]);
  });

  it.each(pages)('have links to existing headings: %s', (page) => {
    const links = [...textOf(page).matchAll(/\]\(((?!https?:)[^)#\s]*)#([^)\s]+)\)/g)];
    const broken = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return !headingAnchors(textOf(target)).has(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(pages)('name the language of each block: %s', (page) => {
    const unknown = fencesOf(textOf(page)).filter(({ language }) => !languages.has(language));
    expect(unknown).toEqual([]);
  });

  it.each(pages)('have valid JSON and YAML: %s', (page) => {
    const invalid = fencesOf(textOf(page)).filter(({ language, text }) => !isValid(language, text));
    expect(invalid).toEqual([]);
  });

  // The compiler reads three thousand files: ten seconds of a core.
  it('have TypeScript that compiles', { timeout: 240_000 }, () => {
    const faulty = pageModules(
      'docs/faulty.md',
      "# Sign in\n\n```ts\nimport { missing } from '@app/accounts';\n```\n",
    );
    const modules = pages.flatMap((page) => pageModules(page, textOf(page)));
    expect(typeErrors(root, [...faulty, ...modules])).toEqual([
      `docs/faulty.md:4: Module '"@app/accounts"' has no exported member 'missing'.`,
    ]);
  });

  it.each(pages)('only have existing commands: %s', (page) => {
    const { scripts, scriptGroups } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const text = textOf(page);
    const named = [...text.matchAll(/npm run\s(?:-s\s)?([a-z][a-z:-]*[a-z])/g)].map(([, name]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const members = text.matchAll(/npm run\s(?:-s\s)?(bench|fuzz|new) (?:-- )?([a-z][a-z-]*)/g);
    const unknown = [...members].filter(([, group, name]) => !(name in scriptGroups[group]));
    expect(unknown.map(([command]) => command)).toEqual([]);
  });

  it.each(pages)('only have existing commands of created workspaces: %s', (page) => {
    const entries = textOf('tools/pack/cli/sluice.cjs').matchAll(/^ {2}'?([a-z][a-z -]*[a-z])'?: '/gm);
    const commands = new Set(['upgrade', 'run', ...[...entries].map(([, name]) => name)]);
    const named = [...textOf(page).matchAll(/npx sluice ((?:new )?[a-z][a-z-]*)/g)].map(([, name]) => name);
    expect(named.filter((name) => !commands.has(name))).toEqual([]);
  });

  it.each(pages)('take our packages from tarballs of this version, as none is published: %s', (page) => {
    const text = textOf(page);
    const published = /npm create sluice|npm (?:i|install|add|ci)\b.* @sluice\/|npx --yes @?sluice/g;
    expect(text.match(published) ?? []).toEqual([]);
    const { version } = JSON.parse(textOf('package.json'));
    const tarballs = [...text.matchAll(/sluice(?:-[a-z]+)?-(\d+\.\d+\.\d+)\.tgz/g)];
    expect(tarballs.filter(([, packed]) => packed !== version)).toEqual([]);
  });

  it.each(pages)('only have existing files: %s', (page) => {
    const text = textOf(page);
    const named = [...text.matchAll(/`((?:apps|libs|test|docs|scripts|tools)\/[^`*<>\s]+)`/g)].map(
      ([, path]) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(pages)('name no test file in a sentence; tables and commands may: %s', (page) => {
    const sentences = textOf(page)
      .replaceAll(/^( *)```.*\n[^]*?^\1```$/gm, '')
      .replaceAll(/^\|.*$/gm, '')
      .replaceAll(/\]\([^)]*\)|`np[mx] [^`]*`/g, '');
    expect(sentences.match(/[\w-]+\.spec\.ts\b/g)).toBeNull();
  });

  it.each(['AGENTS.md', 'tools/pack/create/template/AGENTS.md'])('are short for agents: %s', (page) => {
    expect(textOf(page).split('\n').length).toBeLessThanOrEqual(80);
  });

  it('introduce every library', () => {
    for (const name of readdirSync(join(root, 'libs'))) expect(pages).toContain(`libs/${name}/README.md`);
  });

  it('are reached from the README', () => {
    const reached = textOf('README.md') + textOf('ARCHITECTURE.md');
    const listed = pages.filter((page) => /^(docs\/(guides|reference)|libs)\//.test(page));
    expect(listed.filter((page) => !reached.includes(`](${page})`))).toEqual([]);
  });

  it('name every folder of every library', () => {
    const rows = textOf('ARCHITECTURE.md').split('\n');
    const missing = globSync('libs/*/src/*/', { cwd: root }).filter((path) => {
      const [, library, , folder = ''] = path.split(/[/\\]/);
      const row = rows.find((line) => line.startsWith(`| ${library} |`)) ?? '';
      return !row.split(/[^\w-]+/).includes(folder);
    });
    expect(missing).toEqual([]);
  });

  it('list every decision once', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const section = text.slice(text.indexOf('## Decisions'));
    const listed = [...section.matchAll(/\(docs\/decisions\/(\d{4})-/g)].map(([, number]) => number);
    const numbers = readdirSync(join(root, 'docs/decisions')).map((file) => file.slice(0, 4));
    expect(listed.toSorted()).toEqual(numbers);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

/** JSON may be one document, or one on each line. */
function isValid(language: string, text: string): boolean {
  if (language === 'yaml') return parseAllDocuments(text).every(({ errors }) => errors.length === 0);
  return language !== 'json' || isJson(text) || text.trim().split('\n').every(isJson);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
