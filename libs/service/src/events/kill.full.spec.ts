import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inTransaction } from '@app/persistence';
import { useMigratedDatabase } from '@app/persistence/testing';
import { Exclude, Expose } from 'class-transformer';
import { build } from 'esbuild';
import { librarySchemas } from '../schema';
import { Events } from './events';

const EVENTS = 40;
const KEYS = 4;
const KILLS = Number(process.env.KILL_ROUNDS ?? 3);
/** The time after which a killed program's events are due again; a minute outside tests. */
const claimMs = 2000;

/** A parcel that was sent. */
@Exclude()
class ParcelSent {
  @Expose() id!: number;
}

declare module '@app/service' {
  interface EventData {
    'parcel.delivered': ParcelSent;
  }
}

describe('a program that handles events, killed with SIGKILL', () => {
  const store = useMigratedDatabase(librarySchemas);
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(__dirname, '../../../../node_modules/.sluice-events-'));
    await bundle(join(folder, 'handler.cjs'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const lines = () => {
    const file = join(folder, 'handled.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };

  it(
    'loses no event, keeps their order, and repeats only events that it was handling',
    async () => {
      const events = new Events({ 'parcel.delivered': ParcelSent }, [
        { name: 'carrier', event: 'parcel.delivered' },
      ]);
      for (let id = 1; id <= EVENTS; id++)
        await inTransaction(store.db, (db) => events.add('parcel.delivered', { id }, db, { key: id % KEYS }));
      for (let round = 1; round <= KILLS; round++) {
        const until = (round * EVENTS) / (KILLS + 2);
        await handleUntil(async () => lines().length >= until);
      }
      await handleUntil(async () => (await store.db.selectFrom('event').select('id').execute()).length === 0);

      const handled = lines().map((line) => line.split(' ').map(Number));
      expect(new Set(handled.map(([, id]) => id)).size).toBe(EVENTS);
      // Four events are handled at once.
      expect(handled.length - EVENTS).toBeLessThanOrEqual(KILLS * 4);
      for (let key = 0; key < KEYS; key++) {
        const ids = handled.filter(([of]) => of === key).map(([, id]) => id);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }
    },
    30_000 + KILLS * 10_000,
  );

  /** Runs the program until a condition holds, and kills it. */
  async function handleUntil(hasEnded: () => Promise<boolean>): Promise<void> {
    const args = [join(folder, 'handler.cjs'), store.url, join(folder, 'handled.txt'), String(claimMs)];
    const program = spawn(process.execPath, args, { stdio: 'inherit' });
    await expect.poll(hasEnded, { timeout: 20_000, interval: 5 }).toBe(true);
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
});

async function bundle(outfile: string): Promise<void> {
  const lib = (name: string) => join(__dirname, `../../../${name}/src/index.ts`);
  await build({
    entryPoints: [join(__dirname, '../../testing/programs/event-handler.program.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    packages: 'external',
    alias: Object.fromEntries(
      ['persistence', 'engine', 'settings', 'http-errors'].map((name) => [`@app/${name}`, lib(name)]),
    ),
  });
}
