import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import tests from './asvs.json';
import guarantees from './guarantees.json';

const root = join(__dirname, '..');
const [number, level, state] = [/^\d+\.\d+\.\d+$/, /^[12]$/, /^(✓|unmet|n\/a)$/];

interface Requirement {
  readonly id: string;
  readonly state: string;
  /** Why it is unmet or not applicable. */
  readonly reason: string;
}

describe('docs/reference/asvs.md', () => {
  const text = readFileSync(join(root, 'docs/reference/asvs.md'), 'utf8');
  const requirements = rowsOf(text);

  it('has every requirement of levels 1 and 2 once, in order', () => {
    const ids = requirements.map(({ id }) => id);
    const sorted = [...new Set(ids)].toSorted((left, right) =>
      left.localeCompare(right, 'en', { numeric: true }),
    );
    expect(ids).toEqual(sorted);
    // 70 of level 1, and 183 of level 2.
    expect(ids).toHaveLength(253);
  });

  it('has existing tests for each requirement that is met', () => {
    const met = requirements.filter(({ state: verdict }) => verdict === '✓').map(({ id }) => id);
    expect(Object.keys(tests)).toEqual(met);
    expect(Object.entries(tests).filter(([, paths]) => paths.length === 0 || paths.some(isMissing))).toEqual(
      [],
    );
  });

  it('says why of each other', () => {
    const silent = requirements.filter(
      ({ state: verdict, reason }) => verdict !== '✓' && !/[a-z]/i.test(reason.replaceAll(/`[^`]*`/g, '')),
    );
    expect(silent).toEqual([]);
  });

  it('counts them right', () => {
    const count = (wanted: string) => requirements.filter(({ state: verdict }) => verdict === wanted).length;
    const sentence = `${count('✓')} of ${requirements.length} requirements are met, ${count('unmet')} are unmet, and ${count('n/a')} are n/a.`;
    expect(text.replaceAll(/\s+/g, ' ')).toContain(sentence);
  });
});

describe('SECURITY.md', () => {
  it('has existing tests for each guarantee, or the command that measures it', () => {
    const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');
    const ids = [...text.matchAll(/^- \*\*(P\d+)\*\* /gm)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(40);
    expect(Object.keys(guarantees).toSorted()).toEqual(ids.toSorted());
    expect(text.match(/^- (?!\*\*P).*(?=[^]*## Not guaranteed)/gm)).toBeNull();
    const evidence = Object.values(guarantees).map((paths) =>
      paths.filter((path) => !path.startsWith('npm ')),
    );
    expect(evidence.filter((paths) => paths.length === 0 || paths.some(isMissing))).toEqual([]);
  });
});

function isMissing(path: string): boolean {
  return !existsSync(join(root, path));
}

/** The rows of the tables; a malformed one is a requirement as well, and fails the tests. */
function rowsOf(text: string): Requirement[] {
  return text.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length < 2 || /^(requirement|-+)$/.test(cells[1] ?? '')) return [];
    const [, id = '', levelText = '', , verdict = '', reason = ''] = cells;
    const isWhole = cells.length === 7 && number.test(id) && level.test(levelText) && state.test(verdict);
    return [isWhole ? { id, state: verdict, reason } : { id: line, state: 'malformed', reason: '' }];
  });
}
