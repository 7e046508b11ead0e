import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGenerated } from './layout/rules';
import { pagesOf } from './pages/pages';
import { keepLimits, worstFiles, type Measures } from './prose/limits';
import limits from './prose/limits.json';
import {
  countWords,
  docComments,
  measure,
  openApiTexts,
  proseOf,
  vagueVariables,
  type Text,
} from './prose/measure';

const root = join(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = globSync('{apps,libs,tools,scripts,test,benchmarks}/**/*.{ts,mts}', { cwd: root }).filter(
  (path) => !path.includes('node_modules') && !isGenerated(path),
);
/** Records of the past and the assignment are quoted as they are. */
const written = pagesOf(root).filter((page) => !/CHANGELOG|docs\/specification|^benchmarks/.test(page));
const pages = (inDecisions: boolean): Text[] =>
  written
    .filter((page) => page.startsWith('docs/decisions/') === inDecisions)
    .map((place) => ({ place, prose: proseOf(textOf(place)) }));

const groups: Record<keyof typeof limits.goals, readonly Text[]> = {
  comments: sources.flatMap((path) => docComments(path, textOf(path))),
  pages: pages(false),
  decisions: pages(true),
  openapi: ['api', 'admin'].flatMap((name) => {
    const path = `apps/${name}/openapi.json`;
    return openApiTexts(path, JSON.parse(textOf(path)) as object);
  }),
};

/** With `PROSE=goals`, the goals are the limits, and the tests list the files to rewrite first. */
const limitsOf = (group: keyof typeof groups): Measures =>
  process.env.PROSE === 'goals' ? limits.goals[group] : limits.limits[group];

function measuresOf(texts: readonly Text[]): Measures {
  const { of, pronouns, negations } = measure(texts);
  return { of, pronouns, negations, words: countWords(texts) };
}

/** Returns a message for each measure over its limit, and the files to rewrite first. */
function findFaults(group: keyof typeof groups, measures: Measures): string[] {
  const goals: Measures = limits.goals[group];
  const messages = keepLimits(group, measures, limitsOf(group), goals);
  return messages.length === 0 ? [] : [...messages, worstFiles(groups[group], goals)];
}

describe('the prose', () => {
  it('is read from all groups', () => {
    const counts = Object.values(groups).map((texts) => texts.length);
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });

  it('of pages keeps the limits', () => {
    expect(findFaults('pages', measuresOf(groups.pages))).toEqual([]);
  });

  it('of decisions keeps the limits', () => {
    expect(findFaults('decisions', measuresOf(groups.decisions))).toEqual([]);
  });

  // It parses some thousand files: ten seconds of a core.
  it('of doc comments keeps the limits', { timeout: 240_000 }, () => {
    const variables = sources.flatMap((path) => vagueVariables(path, textOf(path)));
    expect(findFaults('comments', { ...measure(groups.comments), variables: variables.length })).toEqual([]);
  });

  it('of OpenAPI documents keeps the limits', () => {
    expect(findFaults('openapi', { ...measure(groups.openapi) })).toEqual([]);
  });

  it('is measured in words, not in code', () => {
    const page = '# A key of one\n\n```ts\nof of of\n```\n\n| `of` | [one](of.md) |\n<!-- of -->\nDo not.';
    const prose = proseOf(page);
    expect(countWords([{ place: 'a.md', prose }])).toBe(8);
    expect(measure([{ place: 'a.md', prose }])).toEqual({
      of: 125,
      pronouns: 250,
      negations: 125,
      firstWords: 0,
    });
  });

  it('of a doc comment excludes tags and examples', () => {
    const source =
      '/** Of a key. */\nconst a = 1;\n/**\n * The key.\n *\n * @param one the id\n * @example of(one)\n * @returns what it is\n */\n';
    const texts = docComments('a.ts', source);
    expect(texts.map(({ prose }) => prose.replaceAll(/\s+/g, ' '))).toEqual([
      'Of a key.',
      'The key. the id what it is',
    ]);
    expect(measure(texts).firstWords).toBe(50);
  });

  it('of an OpenAPI document is its summaries and descriptions', () => {
    const document = { info: { description: 'A', title: 'B' }, paths: { '/': { get: { summary: 'C' } } } };
    expect(openApiTexts('a.json', document)).toEqual([
      { place: 'a.json/info', prose: 'A' },
      { place: 'a.json/paths///get', prose: 'C' },
    ]);
  });

  it('has no vague names of variables', () => {
    const source =
      'const one = 1;\nfunction f(other: { found: 1 }) {\n  const { made: id, held } = other;\n}\n';
    expect(vagueVariables('a.ts', source)).toEqual(['a.ts:1 one', 'a.ts:2 other', 'a.ts:3 held']);
  });

  it('has limits that fall', () => {
    const keep = (value: number, limit: number) =>
      keepLimits('pages', { of: value }, { of: limit }, { of: 18 });
    expect(keep(30.1, 30)).toEqual([
      'pages: of is 30.1, and its limit is 30: rewrite the files below (CONTRIBUTING.md, "Language")',
    ]);
    expect(keep(28.1, 30)).toEqual([]);
    expect(keep(26.1, 30)).toEqual([
      'pages: of is 26.1: lower its limit of 30 to 27 in test/prose/limits.json',
    ]);
    expect(keep(12, 21)).toEqual(['pages: of is 12: lower its limit of 21 to 18 in test/prose/limits.json']);
    expect(keep(12, 18)).toEqual([]);
  });
});
