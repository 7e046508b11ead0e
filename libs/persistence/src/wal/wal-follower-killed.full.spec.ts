import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import { startProgram } from '../../testing/child-program';
import { useMigratedDatabase } from '../../testing/migrated-database';
import { applyFrames, type WalPart } from './wal-format';
import { WalFollower } from './wal-follower';

/** More than are checkpointed at once, so that the WAL is checkpointed by the next program, and less than begin it anew. */
const FRAMES_BEFORE_KILL = 1_500;

describe.runIf(process.env.TEST_DATABASE_URL === undefined)('a program killed while it follows a WAL', () => {
  const store = useMigratedDatabase();
  let file: string;
  let copy: string;
  beforeEach(() => {
    [file, copy] = [`${store.db.place}.parts`, `${store.db.place}.copy`];
    writeFileSync(file, '');
  });

  it('is followed by the next one where it was, under load, and nothing is missed', async () => {
    expect(await followAndKill()).toBe(false);
    expect(await followAndKill()).toBe(true);
    expect(await followAndKill()).toBe(true);
    await expectAllFollowed();
  });

  it('is followed where it was, or from a new backup on, while another program writes', async () => {
    const successor = startProgram('follower.program.ts', store.url);
    const ended = once(successor, 'exit');
    try {
      expect(await followAndKill()).toBe(false);
      // The other program can have the WAL begun anew before its rest is read, which is noticed.
      await followAndKill();
    } finally {
      successor.kill('SIGKILL');
      await ended;
    }
    await expectAllFollowed();
  });

  /** @returns whether the sequence of the last one went on */
  async function followAndKill(): Promise<boolean> {
    const program = startProgram('follower.program.ts', store.url, file, copy);
    if (!program.stdout) throw new TypeError('the program is started with a pipe');
    const ended = once(program, 'exit');
    let isResumed = false;
    for await (const line of createInterface(program.stdout)) {
      const { isResumed: isSo, frame } = JSON.parse(line);
      isResumed ||= isSo === true;
      if (frame > FRAMES_BEFORE_KILL) program.kill('SIGKILL');
    }
    expect(await ended).toEqual([null, 'SIGKILL']);
    return isResumed;
  }

  async function expectAllFollowed(): Promise<void> {
    const parts: (Pick<WalPart, 'position'> & { readonly frames: string })[] = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const { frames } of parts) await applyFrames(copy, Buffer.from(frames, 'base64'));
    const follower = await WalFollower.open(store.openAnother(), async () => parts.at(-1)?.position);
    expect(follower?.isResumed).toBe(true);
    for (const { frames } of (await follower?.read()) ?? []) await applyFrames(copy, frames);
    const all = slugsIn(store.db.place);
    follower?.close();
    expect(all.length).toBeGreaterThan(500);
    expect(slugsIn(copy)).toEqual(all);
  }
});

function slugsIn(path: string): unknown[] {
  const database = new DatabaseSync(path);
  const { quick_check: result } = database.prepare('pragma quick_check').get() ?? {};
  const rows = database.prepare('select slug from sample_article order by id').all();
  database.close();
  expect(result).toBe('ok');
  return rows.map(({ slug }) => slug);
}
