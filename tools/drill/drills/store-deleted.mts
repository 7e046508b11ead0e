import { execSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import type { DrillEnvironment } from '../environment/drill-environment.mts';
import { runCommand } from '../programs/commands.mts';
import { Load, tally } from '../callers/load.mts';

const connections = 10;
const beforeMs = 1500;
const noticedWithinMs = 1000;

export const storeDeleted: Drill = {
  name: 'store-deleted',
  action:
    'deletes the database file and its WAL while clients write; runs the command that the log names; restarts the program; and runs commands and the program without the file',
  expectation:
    'within a second writes are refused with 503 and the log names a command that saves every acknowledged write; commands and a start without the file are refused',
  stores: ['sqlite'],
  fires: [],
  lacks: () =>
    process.platform === 'linux' ? undefined : 'Linux, which has the files of a program in /proc',
  run: async (environment) => {
    const { start, url, subject } = environment;
    const program = await start();
    const token = await signIn(url);
    const load = new Load(url, token, subject, { postEvery: 2 });
    const stopLoad = load.start(connections);
    await pause(beforeMs);
    deleteStore(environment);
    const deletedAt = performance.now();
    await pause(beforeMs);
    await stopLoad();
    const writes = load.exchanges.filter(({ method, sentAt }) => method === 'POST' && sentAt > deletedAt);
    const accepted = writes.filter(({ outcome }) => outcome !== 503);
    const noticedMs = Math.round(Math.max(0, ...accepted.map(({ sentAt, ms }) => sentAt + ms - deletedAt)));
    const [sentence = 'none', command = 'false'] =
      /was deleted or moved while in use: [^"]*?\\"(cp [^"]+)\\"[^"]*/.exec(program.log()) ?? [];
    execSync(command);
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
        'last write accepted after, ms': noticedMs,
        log: sentence,
        'a start without the file': refusal,
      },
      {
        'writes are refused with 503 within a second':
          writes.length > accepted.length && noticedMs <= noticedWithinMs,
        'requests are answered, or refused with 503': load.refused.every(({ outcome }) => outcome === 503),
        'the log names a command, after which every acknowledged write is there':
          load.acknowledged.length > 0 && lost.length === 0,
        'the program stops with exit code 0': code === 0,
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

/** Starts the program beside an upload, after {@link commands} that must not create the file. Returns the start message. */
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
