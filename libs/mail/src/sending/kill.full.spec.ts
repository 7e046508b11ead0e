import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { useMigratedDatabase } from '@app/persistence/testing';
import { build } from 'esbuild';
import { mailSchema } from '../schema';
import { startMailServer, type TestMailServer } from '../../testing/mail-server';
import { addMail } from '../../testing/outbox';

const MAILS = 30;
const KILLS = Number(process.env.KILL_ROUNDS ?? 3);
/** The time after which a killed program's mails are due again; ten minutes outside tests. It exceeds the time that a busy machine needs for a mail. */
const claimMs = 2000;

describe('a program that sends mails, killed with SIGKILL', () => {
  const store = useMigratedDatabase([mailSchema]);
  let folder = '';
  let server: TestMailServer;
  beforeAll(
    async () => (folder = await mkdtemp(join(__dirname, '../../../../node_modules/.sluice-sender-'))),
  );
  beforeAll(async () => bundle(join(folder, 'sender.cjs')));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => (server = await startMailServer()));
  afterEach(() => server.close());

  it(
    'loses no mail, and repeats none but those that it was sending',
    async () => {
      for (let mail = 0; mail < MAILS; mail++) await addMail(store.db);
      for (let round = 1; round <= KILLS; round++) await sendUntil((round * MAILS) / (KILLS + 2));
      await sendUntil(() => sentCount().then((count) => count === MAILS));

      const ids = server.received.map(({ source }) => /^Message-ID: (.+)$/im.exec(source)?.[1]);
      expect(new Set(ids).size).toBe(MAILS);
      expect(ids.length - MAILS).toBeLessThanOrEqual(KILLS);
      const rows = await store.db.selectFrom('mail').selectAll().execute();
      expect(rows).toHaveLength(MAILS);
      expect(rows.every(({ sentAt, failure }) => sentAt !== null && failure === null)).toBe(true);
    },
    30_000 + KILLS * 10_000,
  );

  /** Runs the program until so many mails have arrived, or a condition holds, and kills it. */
  async function sendUntil(end: number | (() => Promise<boolean>)): Promise<void> {
    const hasEnded = typeof end === 'number' ? async () => server.received.length >= end : end;
    const url = `smtp://127.0.0.1:${server.port}`;
    const program = spawn(process.execPath, [join(folder, 'sender.cjs'), store.url, url, String(claimMs)], {
      stdio: 'inherit',
    });
    await expect.poll(hasEnded, { timeout: 20_000, interval: 5 }).toBe(true);
    await kill(program);
  }

  async function sentCount(): Promise<number> {
    const sent = store.db.selectFrom('mail').select('id').where('sentAt', 'is not', null);
    return (await sent.execute()).length;
  }
});

async function kill(program: ChildProcess): Promise<void> {
  program.kill('SIGKILL');
  await once(program, 'exit');
}

async function bundle(outfile: string): Promise<void> {
  const entry = join(__dirname, '../../testing/sender.program.ts');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    packages: 'external',
    alias: {
      '@app/persistence': join(__dirname, '../../../persistence/src/index.ts'),
    },
  });
}
