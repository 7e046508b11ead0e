import { once } from 'node:events';
import { startProgram } from '../testing/child-program';
import { useMigratedDatabase } from '../testing/migrated-database';

const READS = Number(process.env.READS_AFTER_WRITES ?? 20_000);
/** Writes that each process has under way at any time. */
const AT_ONCE = 4;

describe('two processes on one store', () => {
  const store = useMigratedDatabase();

  it('read what each other has acknowledged, while both write', { timeout: 300_000 }, async () => {
    const neighbor = startProgram('asked-writer.program.ts', store.url);
    const hasEnded = once(neighbor, 'exit');
    await once(neighbor, 'message');
    const done = { reads: 0 };
    const missing: number[] = [];
    neighbor.on('message', (id: number) => {
      neighbor.send('write');
      void check(id);
    });
    for (let count = 0; count < AT_ONCE; count++) neighbor.send('write');
    await Promise.all(Array.from({ length: AT_ONCE }, write));
    neighbor.kill();
    await hasEnded;

    expect(missing).toEqual([]);

    async function check(id: number): Promise<void> {
      if (!(await read(id))) missing.push(id);
      done.reads += 1;
    }

    async function write(): Promise<void> {
      while (done.reads < READS) await store.db.insertInto('sampleBasket').defaultValues().execute();
    }
  });

  function read(id: number): Promise<unknown> {
    return store.db.selectFrom('sampleBasket').select('id').where('id', '=', id).executeTakeFirst();
  }
});
