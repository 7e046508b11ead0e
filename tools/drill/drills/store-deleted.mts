import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { create, missing, signIn, untilAnswered } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import type { DrillEnvironment } from '../environment/drill-environment.mts';
import { runCommand } from '../programs/commands.mts';
import { Load, tally } from '../callers/load.mts';

const connections = 10;
const beforeMs = 1500;
const recoveredWithinMs = 5000;

export const storeDeleted: Drill = {
  name: 'store-deleted',
  action:
    'deletes the database file and its WAL while clients write; again, and stops the program at once; and runs commands and the program without the file',
  expectation:
    'the program writes back what it has open, and goes on: every acknowledged write is there; commands and a start without the file are refused',
  stores: ['sqlite'],
  fires: [],
  run: async (environment) => {
    const { start, url, subject } = environment;
    const program = await start();
    const token = await signIn(url);
    const load = new Load(url, token, subject, { postEvery: 2 });
    const stopLoad = load.start(connections);
    await pause(beforeMs);
    deleteStore(environment);
    const recoveredMs = await untilAnswered(() => create(url, token, subject));
    await pause(beforeMs);
    await stopLoad();
    const note = /"msg":"store available: ([^"]+)"/.exec(program.log())?.[1] ?? 'none';
    deleteStore(environment);
    const code = await program.stop();
    const next = await start();
    const lost = await missing(url, await signIn(url), load.acknowledged);
    await next.stop();
    const refusal = await startWithout(environment);
    return finding(
      {
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        refused: tally(load.refused),
        'recovered after, ms': recoveredMs,
        log: note,
        'a start without the file': refusal,
      },
      {
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
        'requests are answered, or refused with 503': load.refused.every(({ outcome }) => outcome === 503),
        'writes succeed within five seconds': recoveredMs <= recoveredWithinMs,
        'the log says what was done': note.includes('was written back'),
        'a program that is stopped at once exits with 0': code === 0,
        'a start without the file is refused': refusal.includes('--new-store'),
      },
    );
  },
};

function deleteStore({ store }: DrillEnvironment): void {
  const path = store.url.slice('sqlite:'.length);
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

/** Commands that read a store. */
const commands = [['migrate', '--list'], ['audit:check'], ['check-store']];

/** Beside an uploaded file, after {@link commands} that must not create the file. @returns the message of the start */
async function startWithout(environment: DrillEnvironment): Promise<string> {
  deleteStore(environment);
  const uploads = join(environment.folder, 'data/uploads');
  mkdirSync(uploads, { recursive: true });
  writeFileSync(join(uploads, 'picture'), '');
  for (const [name = '', ...args] of commands)
    await runCommand(name, args, environment.store.url, { UPLOAD_DIR: uploads }).catch(() => '');
  return environment.start().then(
    () => 'it starts',
    (error: Error) => /did not start: (.*)\n/.exec(error.message)?.[1] ?? error.message,
  );
}
