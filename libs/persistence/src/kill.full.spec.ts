import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startProgram } from '../testing/child-program';
import { useMigratedDatabase } from '../testing/migrated-database';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 4);
/** Acknowledged writes before the kill; different in each round. */
const writesBeforeKill = (round: number): number => 15 + (round % 16) * 7;

describe('a program killed with SIGKILL', () => {
  const store = useMigratedDatabase();

  it(
    'has stored everything it acknowledged, and no partial transaction',
    async () => {
      const acknowledged: number[] = [];
      for (let round = 0; round < ROUNDS; round++)
        acknowledged.push(...(await writeAndKill(writesBeforeKill(round))));

      const orders = await store.db.selectFrom('sampleBasket').select('id').execute();
      const lines = await store.db
        .selectFrom('sampleLine')
        .select(({ fn }) => ['basketId', fn.countAll().as('howMany')])
        .groupBy('basketId')
        .execute();

      const kept = new Set(orders.map(({ id }) => id));
      expect(acknowledged.length).toBeGreaterThan(ROUNDS * 15);
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      expect(lines.filter(({ howMany }) => howMany !== 3)).toEqual([]);
      expect(lines.length).toBe(orders.length);
    },
    ROUNDS * 15_000,
  );

  /** Returns every printed id, including those printed after the kill was sent. */
  async function writeAndKill(count: number): Promise<number[]> {
    const ids: number[] = [];
    const program = startProgram('writer.program.ts', store.url);
    if (!program.stdout) throw new TypeError('the program is started with a pipe');
    const ended = once(program, 'exit');
    for await (const line of createInterface(program.stdout)) {
      ids.push(Number(line));
      if (ids.length === count) program.kill('SIGKILL');
    }
    await ended;
    return ids;
  }
});
