import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Codemod } from './codemods.mts';
import { mergeMembers, mergeText } from './merge.mts';
import { type Release, storeLines } from './release.mts';
import { planOf } from './upgrade.mts';

const bare: Release = {
  version: '1.0.0',
  files: {},
  manifest: { dependencies: {}, devDependencies: {} },
  migrations: [{ name: 'accounts/0001-tables' }],
};
const release = (version: string, parts: Partial<Release> = {}): Release => ({ ...bare, version, ...parts });

/** The merge result and its messages. */
function heard<T>(work: (say: (line: string) => void) => T): [T, string[]] {
  const lines: string[] = [];
  return [work((line) => lines.push(line)), lines];
}

describe('a file of a release', () => {
  it.each([
    ['is updated if it was not edited', 'a\n', 'a\n', 'b\n', 'b\n', 'updated'],
    ['keeps the ends of its lines', 'a\n', 'a\r\n', 'b\n', 'b\r\n', 'updated'],
    [
      'is merged if it was edited elsewhere',
      'a\n\n\nb\n',
      'a\n\n\nours\n',
      'A\n\n\nb\n',
      'A\n\n\nours\n',
      'updated',
    ],
    ['is created if the release is the first with it', undefined, undefined, 'b', 'b', 'created'],
    ['is deleted if the release no longer has it', 'a', 'a', undefined, undefined, 'deleted'],
    [
      'stays if it was edited, and the release deletes it',
      'a',
      'A',
      undefined,
      'A',
      'edited here, so it stays; the release no longer has it',
    ],
    [
      'stays deleted',
      'a',
      undefined,
      'b',
      undefined,
      'deleted here, so it stays deleted; the release changes it',
    ],
    ['stays if the release does not change it', 'a', 'A', 'a', 'A', undefined],
    ['stays if it is as the release writes it already', 'a', 'b', 'b', 'b', undefined],
  ])('%s', (_, base, ours, theirs, text, message) => {
    expect(heard((say) => mergeText([base, ours, theirs], say))).toEqual([
      text,
      message === undefined ? [] : [message],
    ]);
  });

  it.each([
    [
      'a line that the release changes too',
      'one\ntwo\n',
      'one\nours\n',
      'one\n<<<<<<< ours\nours\n=======\n2\n>>>>>>> theirs\n',
    ],
    ['a file of that name', undefined, 'ours\n', '<<<<<<< ours\nours\n=======\none\n2\n>>>>>>> theirs\n'],
    [
      'Windows line ends',
      'one\ntwo\n',
      'one\r\nours\r\n',
      'one\r\n<<<<<<< ours\r\nours\r\n=======\r\n2\r\n>>>>>>> theirs\r\n',
    ],
  ])('keeps both if its team has %s', (_, base, ours, text) => {
    expect(heard((say) => mergeText([base, ours, 'one\n2\n'], say))).toEqual([
      text,
      ['conflicts with your edits between <<<<<<< and >>>>>>>'],
    ]);
  });
});

describe('the members of a manifest', () => {
  const base = { target: 'a', lib: ['a'], scripts: {}, old: true };
  const theirs = { target: 'b', lib: ['b'], scripts: {}, added: { deep: 1 } };

  it('are merged one by one', () => {
    const ours = { target: 'a', lib: ['ours'], scripts: { test: 'x' }, old: true };
    expect(heard((say) => mergeMembers(base, ours, theirs, say))).toEqual([
      { target: 'b', lib: ['ours'], scripts: { test: 'x' }, added: { deep: 1 } },
      [
        'target "a" → "b"',
        'lib stays ["ours"], which is yours; the release has ["b"]',
        'old true → absent',
        'added absent → {"deep":1}',
      ],
    ]);
  });

  it('do not come back if their team has removed them', () => {
    expect(heard((say) => mergeMembers({ in: { a: 1 } }, { in: {} }, { in: { a: 2 } }, say))).toEqual([
      { in: {} },
      ['in.a stays absent, which is yours; the release has 2'],
    ]);
  });
});

describe('the store', () => {
  const older = release('1.0.0');
  const after = (runsSince?: string) =>
    release('1.1.0', { migrations: [...older.migrations, { name: 'accounts/0002-note', runsSince }] });

  it.each([
    ['has no other tables', release('1.1.0'), ['store: 1.1.0 has the tables of 1.0.0']],
    [
      'is migrated',
      after('accounts/0001-tables'),
      [
        'store: the next start, or npx sluice migrate, applies accounts/0002-note',
        'store: programs of 1.0.0 run on the migrated store, so that it can be rolled back without a restore',
      ],
    ],
    [
      'is migrated, and older programs do not start on it',
      after('accounts/0002-note'),
      [
        'store: the next start, or npx sluice migrate, applies accounts/0002-note',
        'store: programs of 1.0.0 do not start on the migrated store: back up before (npx sluice backup)',
      ],
    ],
  ])('%s', (_, newer, lines) => {
    expect(storeLines(older, newer)).toEqual(lines);
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
    return { root, committedFiles: Object.keys(files) };
  }

  const word = (version: string, before: string, after: string): Codemod => ({
    release: version,
    changes: `${before} is ${after}`,
    files: /\.ts$/,
    apply: (text) => text.replaceAll(before, after),
  });
  const codemods = [
    word('1.0.0', 'zero', 'one'),
    word('1.1.0', 'one', 'two'),
    word('1.1.0', 'two', 'three'),
    word('2.0.0', 'three', 'four'),
    word('2.0.1', 'four', 'five'),
  ];

  it('runs the codemods of the releases after the installed one, in their order', async () => {
    const move = await workspace({ 'package.json': '{}', 'a.ts': 'zero one', 'b.md': 'one' });
    const { files, lines } = planOf({ ...move, from: release('1.0.0'), to: release('2.0.0') }, codemods);
    expect([...files.keys(), files.get('a.ts')]).toEqual(['package.json', 'a.ts', 'zero four']);
    expect(lines.slice(0, 3)).toEqual(['a.ts: one is two', 'a.ts: two is three', 'a.ts: three is four']);
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
    const { files, lines } = planOf({
      ...move,
      from: release('1.0.0', { manifest: from }),
      to: release('1.1.0', { manifest: to }),
    });
    expect(JSON.parse(files.get('package.json') ?? '')).toEqual({
      name: 'shop',
      dependencies: { ...dependencies, '@sluice/service': '1.1.0', fastify: '5.1.0' },
    });
    expect(lines).toContain(
      'package.json: dependencies.kysely stays "0.9.0", which is yours; the release has "5.1.0"',
    );
  });

  it('changes nothing of what has the release already', async () => {
    const texts = { 'package.json': '{\n  "name": "shop"\n}\n', 'x.json': '{ "a": 2 }', x: 'shop b' };
    const move = await workspace(texts);
    const from = release('1.0.0', { files: { 'x.json': '{ "a": 1 }', x: '__NAME__ a', y: 'a' } });
    const to = release('1.1.0', { files: { 'x.json': '{ "a": 2 }', x: '__NAME__ b' } });
    const { files } = planOf({ ...move, from, to });
    for (const [path, text] of files)
      expect([path, text]).toEqual([path, await readFile(join(root, path), 'utf8').catch(() => undefined)]);
    expect(files.size).toBe(4);
  });
});
