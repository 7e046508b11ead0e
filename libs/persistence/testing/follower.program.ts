/**
 * Inserts posts in several concurrent transactions and follows the WAL until it is killed. Callers write before it follows, as
 * they do while a program starts. It begins with a backup if required, appends everything it reads to a file, and prints each
 * part's position. Without a file, it only inserts.
 */
import { appendFileSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { backUp } from '../src/backup/back-up';
import { type Database, openDatabase } from '../src/database/database';
import { WalFollower } from '../src/wal/wal-follower';

const CONCURRENT_WRITERS = 8;
const WRITES_BEFORE = 300;

async function main(url: string, file: string, copy: string): Promise<void> {
  const db = openDatabase(url);
  await new Promise<void>((resolve) => {
    let writes = 0;
    const count = () => (writes += 1) === WRITES_BEFORE && resolve();
    for (let at = 0; at < CONCURRENT_WRITERS; at += 1) void write(db, count);
  });
  if (file === '') return;
  const follower = await follow(db, file);
  if (!follower.isResumed) {
    rmSync(copy, { force: true });
    writeFileSync(file, '');
    await backUp(db, copy);
  }
  writeSync(1, `${JSON.stringify({ isResumed: follower.isResumed })}\n`);
  for (;;) {
    for (const { frames, position } of await follower.read()) {
      appendFileSync(file, `${JSON.stringify({ frames: frames.toString('base64'), position })}\n`);
      writeSync(1, `${JSON.stringify(position)}\n`);
      await follower.noteSent(position);
    }
    await pause(20);
  }
}

/** Opens a follower. It repeats while a second program is checking whether a follower runs. */
async function follow(db: Database, file: string): Promise<WalFollower> {
  const find = async () => {
    const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1);
    return last === undefined || last === '' ? undefined : JSON.parse(last).position;
  };
  for (;;) {
    const follower = await WalFollower.open(db, find);
    if (follower) return follower;
    await pause(20);
  }
}

async function write(db: Database, done: () => void): Promise<never> {
  for (;;) {
    await db.insertInto('sampleArticle').values({ slug: crypto.randomUUID() }).execute();
    done();
  }
}

void main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '');
