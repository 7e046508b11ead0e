import { readFileSync } from 'node:fs';
import { capacityOf, type Load } from './capacity.mts';
import { type Figure, figures } from './figures.mts';

const idle: Load = {
  store: 'postgres',
  requests: 0,
  writes: 0,
  activeUsers: 0,
  signIns: 0,
  revocations: 0,
  tokenSeconds: 60,
  utilisation: 0.5,
};

function calculate(load: Partial<Load>) {
  const { lines, advice } = capacityOf({ ...idle, ...load });
  return { ...Object.fromEntries(lines.map(({ what, value }) => [what, value])), advice: advice.join('\n') };
}

describe('the capacity of a load', () => {
  it('is the processor time of its requests, at the utilisation that is planned with', () => {
    expect(calculate({ requests: 10_000 })).toMatchObject({
      'cores that are busy': 4.24,
      'programs, or WORKERS': 9,
      'memory of all': 2_830,
    });
    expect(calculate({ requests: 10_000, writes: 1 })).toMatchObject({
      'cores that are busy': 3.16,
      commits: 10_000,
    });
    expect(calculate({ signIns: 200, store: 'sqlite' })).toMatchObject({ 'cores that are busy': 3.19 });
  });

  it('has a refresh of each active user in the lifetime of a token', () => {
    expect(calculate({ activeUsers: 600_000 })).toMatchObject({ refreshes: 10_000, commits: 10_000 });
    expect(calculate({ activeUsers: 600_000, tokenSeconds: 600 })).toMatchObject({ refreshes: 1_000 });
  });

  it('has the revocations of the lifetime of a token and 70 seconds in the memory of each program', () => {
    expect(calculate({ revocations: 7_700 })).toMatchObject({
      'revocations in memory': 1_000_000,
      'memory of each': 345,
      'start for revocations': 0.541,
    });
  });

  it('is on SQLite one program, then workers, then another store', () => {
    expect(calculate({ store: 'sqlite', requests: 1_000 }).advice).toBe('One program on SQLite.');
    expect(calculate({ store: 'sqlite', requests: 6_000, writes: 0.1 }).advice).toContain('WORKERS=3');
    expect(calculate({ store: 'sqlite', requests: 6_000, writes: 0.5 }).advice).toMatch(
      /^PostgreSQL: 3,000 commits/,
    );
  });

  it('is at least two programs on PostgreSQL', () => {
    expect(calculate({ requests: 1 }).advice).toContain('2 programs');
    expect(calculate({ requests: 1, tokenSeconds: 100_000 }).advice).toContain('Shorten ACCESS_TOKEN_TTL');
  });
});

describe('the figures', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  const all = Object.values(figures).flatMap((one): Figure[] =>
    'value' in one ? [one] : Object.values(one),
  );
  const pages = ['benchmarks/results.md', 'docs/reference/limits.md'].map((page) =>
    readFileSync(page, 'utf8'),
  );

  it('name commands of the workspace', () => {
    const names = all.map(({ command }) => /^npm run (\S+)/.exec(command)?.[1] ?? command);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  const { read, write, signIn, sqliteWrites, program, revocationBytes, revocationStart } = figures;
  it.each([
    ...[read, write].flatMap(({ sqlite, postgres }) => [`${sqlite.value} (`, `${postgres.value} (`]),
    ...[signIn.sqlite, signIn.postgres].map(({ value }) => `${value / 1000} →`),
    sqliteWrites.value.toLocaleString('en'),
    `${program.value} MiB`,
    `${revocationBytes.value} bytes`,
    `${revocationStart.value} s`,
  ])('have %s of the pages of results', (text) => {
    expect(pages.join('\n')).toContain(text);
  });
});
