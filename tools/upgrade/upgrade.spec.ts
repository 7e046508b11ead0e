import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mergeJson } from './merge-json.mts';
import { mergeText } from './merge-text.mts';
import { planOf } from './plan.mts';
import type { Release } from './release.mts';
import type { Step } from './steps.mts';
import { storeLines } from './store.mts';

const bare: Release = {
  version: '1.0.0',
  files: new Map(),
  manifest: { dependencies: {}, devDependencies: {} },
  migrations: [{ name: 'accounts/0001-tables' }],
};
const release = (version: string, parts: Partial<Release> = {}): Release => ({ ...bare, version, ...parts });

describe('a file of a release', () => {
  it.each([
    ['is updated if it was not edited', 'a', 'a', 'b', 'b', 'x: updated'],
    ['keeps the ends of its lines', 'a\n', 'a\r\n', 'b\n', 'b\r\n', 'x: updated'],
    ['is created if the release is the first with it', undefined, undefined, 'b', 'b', 'x: created'],
    ['is deleted if the release no longer has it', 'a', 'a', undefined, undefined, 'x: deleted'],
    [
      'stays if it was edited, and the release deletes it',
      'a',
      'A',
      undefined,
      'A',
      'x: edited here, so it stays; the release no longer has it',
    ],
    [
      'stays deleted',
      'a',
      undefined,
      'b',
      undefined,
      'x: deleted here, so it stays deleted; the release changes it',
    ],
    ['stays if the release does not change it', 'a', 'A', 'a', 'A', undefined],
    ['stays if it is as the release writes it already', 'a', 'b', 'b', 'b', undefined],
  ])('%s', (_, base, ours, theirs, text, said) => {
    expect(mergeText('x', base, ours, theirs)).toEqual({ text, lines: said === undefined ? [] : [said] });
  });

  it.each([
    ['what the release changes', 'one\ntwo\n', 'one\ntwo\nours\n', '-two\n+2'],
    ['how it differs, if the team has made one of that name', undefined, 'ours\n', '-ours\n+one\n+2'],
  ])('is shown if it was edited: %s', (_, base, ours, patch) => {
    const { text, lines } = mergeText('x', base, ours, 'one\n2\n');
    expect(text).toBe(ours);
    expect(lines).toEqual([
      'x: edited here, so it stays; the release changes this:',
      expect.stringMatching(/^--- a\/x\n\+\+\+ b\/x\n@@ /),
    ]);
    expect(lines[1]).toContain(patch);
  });
});

describe('a JSON file of a release', () => {
  const base = { target: 'a', lib: ['a'], paths: {}, old: true };
  const theirs = { target: 'b', lib: ['b'], paths: {}, added: { deep: 1 } };

  it('is merged by its members, with its comments', () => {
    const ours =
      '{\n  // Ours.\n  "target": "a",\n  "lib": ["ours"],\n  "paths": { "@app/x": [] },\n  "old": true\n}\n';
    expect(mergeJson('x', base, ours, theirs)).toEqual({
      text: '{\n  // Ours.\n  "target": "b",\n  "lib": ["ours"],\n  "paths": {\n    "@app/x": []\n  },\n  "added": {\n    "deep": 1\n  }\n}\n',
      lines: [
        'x: target a → b',
        'x: old true → absent',
        'x: added absent → {"deep":1}',
        'x: lib stays ["ours"], which is yours; the release has ["b"]',
      ],
    });
  });

  it('does not get back what its team has removed', () => {
    const { text, lines } = mergeJson('x', { a: 1 }, '{}', { a: 2 }) ?? {};
    expect([text, lines]).toEqual(['{}', ['x: a stays absent, which is yours; the release has 2']]);
  });

  it.each(['', '[]', '{ "a": }', '<<<<<<< HEAD'])('is a text if it is no object: %j', (ours) => {
    expect(mergeJson('x', {}, ours, { a: 1 })).toBeUndefined();
  });
});

describe('the store', () => {
  const older = release('1.0.0');
  const after = (runsSince?: string) =>
    release('1.1.0', { migrations: [...older.migrations, { name: 'accounts/0002-note', runsSince }] });

  it.each([
    ['has no other tables', older, release('1.1.0'), ['store: 1.1.0 has the tables of 1.0.0']],
    [
      'is migrated',
      older,
      after('accounts/0001-tables'),
      [
        'store: the next start, or npx sluice migrate, applies accounts/0002-note',
        'store: programs of 1.0.0 run on the migrated store, so that it can be rolled back without a restore',
      ],
    ],
    [
      'is migrated, and older programs do not start on it',
      older,
      after('accounts/0002-note'),
      [
        'store: the next start, or npx sluice migrate, applies accounts/0002-note',
        'store: programs of 1.0.0 do not start on the migrated store: back up before (npx sluice backup)',
      ],
    ],
    [
      'stays migrated',
      after(),
      older,
      ['store: accounts/0002-note stays applied; programs of 1.0.0 run on it'],
    ],
    [
      'stays migrated, and older programs do not start on it',
      after('accounts/0002-note'),
      older,
      [
        'store: programs of 1.0.0 do not start on a store with accounts/0002-note: restore a backup of before',
      ],
    ],
  ])('%s', (_, from, to, said) => {
    expect(storeLines(from, to)).toEqual(said);
  });
});

describe('the plan of an upgrade', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sluice-plan-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function workspace(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(root, dirname(path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return { root, sources: Object.keys(files), placeOf: () => '9.9.9' };
  }

  const word = (before: string, after: string) => ({
    changes: `${before} is ${after}`,
    files: /\.ts$/,
    apply: (text: string) => text.replaceAll(before, after),
    undo: (text: string) => text.replaceAll(after, before),
  });
  const steps: readonly Step[] = [
    { from: '1.0.0', to: '1.1.0', codemods: [word('one', 'two'), word('two', 'three')] },
    { from: '1.1.0', to: '1.1.1', codemods: [] },
    { from: '1.1.1', to: '2.0.0', codemods: [word('three', 'four')] },
  ];

  it('runs codemods in the order of releases, and undoes those of one in the other', async () => {
    const move = await workspace({ 'package.json': '{}', 'a.ts': 'one', 'b.md': 'one' });
    const up = planOf({ ...move, from: release('1.0.0'), to: release('2.0.0') }, steps);
    expect([...up.writes]).toEqual([['a.ts', 'four']]);
    expect(up.lines.slice(0, 3)).toEqual(['a.ts: one is two', 'a.ts: two is three', 'a.ts: three is four']);
    await workspace({ 'a.ts': 'three' });
    const down = planOf({ ...move, from: release('1.1.0'), to: release('1.0.0') }, steps);
    expect([...down.writes]).toEqual([['a.ts', 'one']]);
    expect(down.lines[0]).toBe('a.ts: undone: two is three');
  });

  it.each([
    ['2.0.0', '1.1.0', 'It can be rolled back to 1.1.1.'],
    ['1.1.0', '0.9.0', 'It can be rolled back to 1.0.0.'],
    ['1.0.0', '0.9.0', 'It has no release before it.'],
  ])('from %s goes back one release, not to %s', async (from, to, allowed) => {
    const move = await workspace({ 'package.json': '{}' });
    expect(() => planOf({ ...move, from: release(from), to: release(to) }, steps)).toThrow(
      `This workspace is at ${from}, and cannot go back to ${to}. ${allowed}`,
    );
  });

  it('sets our versions, and those of others that the team has not changed', async () => {
    const dependencies = {
      '@sluice/service': 'file:service.tgz',
      fastify: '5.0.0',
      kysely: '0.9.0',
      ours: '1',
    };
    const move = await workspace({ 'package.json': JSON.stringify({ name: 'shop', dependencies }) });
    const manifest = (own: string, others: string) => ({
      dependencies: { '@sluice/service': own, fastify: others, kysely: others },
      devDependencies: {},
    });
    const [from, to] = [manifest('1.0.0', '5.0.0'), manifest('1.1.0', '5.1.0')];
    const { writes, lines } = planOf(
      { ...move, from: release('1.0.0', { manifest: from }), to: release('1.1.0', { manifest: to }) },
      steps,
    );
    expect(JSON.parse(writes.get('package.json') ?? '')).toEqual({
      name: 'shop',
      dependencies: { ...dependencies, '@sluice/service': '9.9.9', fastify: '5.1.0' },
    });
    expect(lines).toContain(
      'package.json: dependencies.kysely stays 0.9.0, which is yours; the release has 5.1.0',
    );
  });

  it('changes nothing of what has the release already', async () => {
    const move = await workspace({
      'package.json': '{ "type": "module" }',
      'tsconfig.json': '{ "a": 2 }',
      x: 'b',
    });
    const files = (json: string, text: string) => new Map(Object.entries({ 'tsconfig.json': json, x: text }));
    const from = release('1.0.0', { files: files('{ "a": 1 }', 'a') });
    const to = release('1.1.0', { files: files('{ "a": 2 }', 'b') });
    expect(planOf({ ...move, from, to }, steps).writes.size).toBe(0);
  });
});
