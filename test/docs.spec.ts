import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..');
const pages = [
  '.',
  'docs',
  'docs/decisions',
  'docs/guides',
  'docs/reference',
  ...folders('libs'),
  ...folders('apps'),
].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((file) => (file.endsWith('.md') ? join(folder, file) : [])),
);

function folders(parent: string): string[] {
  return readdirSync(join(root, parent)).map((name) => join(parent, name));
}

describe('the pages', () => {
  it.each(pages)('have valid links: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(
      ([, target]) => target,
    );
    const broken = targets.filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(broken).toEqual([]);
  });

  it.each(pages)('only have existing commands: %s', (page) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(/npm run ([a-z][a-z:-]*[a-z])/g)].map(([, name]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(pages)('only have existing files: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(/`((?:apps|libs|test|docs|scripts)\/[^`*<>\s]+)`/g)].map(
      ([, path]) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('introduce every library', () => {
    for (const folder of folders('libs')) expect(pages).toContain(relative('.', join(folder, 'README.md')));
  });
  it('list every decision once, without a gap in their numbers', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const section = text.slice(text.indexOf('## Decisions'));
    const listed = [...section.matchAll(/\(docs\/decisions\/(\d{4})-/g)].map(([, number]) => number);
    const numbers = readdirSync(join(root, 'docs/decisions')).map((file) => file.slice(0, 4));
    expect(listed.toSorted()).toEqual(numbers);
    expect(numbers.map(Number)).toEqual(numbers.map((_, index) => index + 1));
  });
});
