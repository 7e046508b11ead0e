import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Database, type JobRunner, jobToken } from '@app/persistence';
import { jobResults } from '@app/service';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import {
  Drafts,
  draftsJob,
  NightlyReport,
  reportJob,
  queues,
  RatesRefresh,
  Receipts,
  ReceiptsWorker,
} from '../../docs/guides/background-jobs.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/background-jobs.md', () => {
  const program = bootGuide({
    providers: [Drafts, draftsJob, RatesRefresh, NightlyReport, reportJob],
    plugins: [jobResults()],
  });

  it('runs the job when the program starts, in batches until nothing is left', async () => {
    await vi.waitFor(() => expect(program.app().get(Drafts).old).toEqual([]));
  });

  it('has run the task of an interval before the program listens', () => {
    expect(program.app().get(RatesRefresh).runs).toBe(1);
  });

  it('runs a job once after its time, and shows operators when', async () => {
    const db = program.app().get(Database);
    const runner = program.app().get<JobRunner>(jobToken('nightly-report'));
    const report = program.app().get(NightlyReport);
    const row = db.selectFrom('jobLease').selectAll().where('kind', '=', 'nightly-report');
    await vi.waitFor(async () => expect(await row.executeTakeFirst()).toMatchObject({ startedAt: null }));
    await runner.check();
    expect(report.written).toEqual([]);
    const yesterday = new Date(Date.now() - 24 * 3_600_000);
    const waits = db.updateTable('jobLease').set({ endedAt: yesterday }).where('kind', '=', 'nightly-report');
    await waits.execute();
    await runner.check();
    await runner.check();
    expect(report.written).toEqual(['users', 'orders']);
    const operator = await program.administrator();
    expect((await operator.get('/jobs')).json).toContainEqual({
      name: 'nightly-report',
      startedAt: expect.any(String),
      endedAt: expect.any(String),
      failure: null,
    });
    expect((await (await program.newcomer()).get('/jobs')).status).toBe(403);
  });
});

const server = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);

describe.skipIf(server === undefined)(
  'a queue of docs/guides/background-jobs.md (needs redis-server)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-queue-'));
    const path = join(folder, 'socket');
    let child: ChildProcess | undefined;

    /** Listens at a socket alone, so that no other program has its port. */
    async function start(): Promise<void> {
      const options = ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder];
      const started = spawn(server ?? '', options, { stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      for await (const line of createInterface({ input: started.stdout }))
        if (line.includes('eady to accept connections')) break;
      started.stdout.resume();
    }

    async function stop(): Promise<void> {
      if (child?.kill('SIGKILL')) await once(child, 'exit');
    }

    beforeAll(start);
    afterAll(async () => {
      await stop();
      rmSync(folder, { recursive: true });
    });

    const program = bootGuide({ imports: queues({ path }), providers: [Receipts, ReceiptsWorker] });
    const parts = () => {
      const app = program.app();
      const queue: Queue = app.get(getQueueToken('receipts'), { strict: false });
      return { receipts: app.get(Receipts), worker: app.get(ReceiptsWorker), queue };
    };

    it('runs a job once, though it was added twice', async () => {
      const { receipts, worker, queue } = parts();
      await Promise.all([receipts.send(7), receipts.send(7)]);
      await vi.waitFor(async () => expect(await queue.getJobCounts('completed')).toEqual({ completed: 1 }));
      await receipts.send(7);
      expect([worker.sent, await queue.getJobCountByTypes('waiting', 'active')]).toEqual([[7], 0]);
    });

    it('runs a job again that has failed', async () => {
      const { receipts, worker, queue } = parts();
      vi.spyOn(worker.sent, 'push').mockImplementationOnce(() => {
        throw new Error('no paper');
      });
      await receipts.send(8);
      const delayed = await vi.waitFor(async () => {
        const [job] = await queue.getDelayed();
        expect(job).toMatchObject({ id: 'order-8', failedReason: 'no paper', attemptsMade: 1 });
        return job;
      });
      await delayed?.promote();
      await vi.waitFor(() => expect(worker.sent).toEqual([7, 8]));
    });

    it('refuses jobs at once while the server is away, and runs them when it is back', async () => {
      const { receipts, worker } = parts();
      await stop();
      await vi.waitFor(() => expect(receipts.send(9)).rejects.toThrow('enableOfflineQueue'));
      await start();
      await vi.waitFor(() => receipts.send(10));
      await vi.waitFor(() => expect(worker.sent).toEqual([7, 8, 10]));
    });
  },
);
