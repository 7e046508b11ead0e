import { AccessTokens } from '@app/auth';
import { StoreUnavailableError } from '@app/persistence';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { DatabaseClock } from './database-clock';
import { ClockHighWaterMark } from './clock-high-water-mark';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const START = Date.UTC(2026, 2, 1);
const who = { sub: 7, username: 'ada@example.com' };

describe('the high-water mark of the database clock (P2)', () => {
  const store = useAccountsDatabase();
  let [wall, monotonic] = [START, 0];
  const running: ClockHighWaterMark[] = [];
  const failures: unknown[] = [];
  beforeEach(() => {
    [wall, monotonic] = [START, 1000 * SECOND];
  });
  afterEach(stopAll);

  async function stopAll(): Promise<void> {
    await Promise.all(running.splice(0).map((mark) => mark.stop()));
  }

  /** Starts a program; machines, and boots of one, differ by name. */
  async function start(machine: string, readWall = async () => wall) {
    const seconds = () => monotonic / SECOND;
    const tokens = new AccessTokens({
      secret: 'a secret of tests, long enough to sign with',
      ttlSeconds: 60,
      monotonicClock: { name: machine, seconds },
    });
    const clock = new DatabaseClock({ wall: readWall, monotonic: () => monotonic });
    const mark = new ClockHighWaterMark(store.db, clock, tokens, (error) => failures.push(error));
    running.push(mark);
    await mark.start();
    return {
      sign: () => tokens.sign(who, wall),
      accepts: (token: string) => tokens.verify(token, wall) !== undefined,
    };
  }

  function pass(ms: number): void {
    wall += ms;
    monotonic += ms;
  }

  /** A token, an hour later, by a clock that is set back by that hour. */
  async function oldToken(): Promise<string> {
    const token = (await start('here')).sign();
    await stopAll();
    pass(HOUR);
    await start('here');
    await stopAll();
    wall -= HOUR;
    return token;
  }

  it.each(['here', 'here, rebooted', 'elsewhere'])(
    'rejects an hour-old token in a program that is started with the clock set back: %s',
    async (machine) => {
      const token = await oldToken();
      const program = await start(machine);
      expect(program.accepts(token)).toBe(false);
      const own = program.sign();
      pass(59 * SECOND);
      expect(program.accepts(own)).toBe(true);
      pass(SECOND);
      expect(program.accepts(own)).toBe(false);
    },
  );

  it('rejects nothing in a program whose clock is a minute behind, or that starts with an empty store', async () => {
    const first = await start('here');
    const token = first.sign();
    expect(first.accepts(token)).toBe(true);
    await stopAll();
    wall -= MINUTE;
    const other = await start('elsewhere');
    wall += MINUTE;
    expect(other.accepts(token)).toBe(true);
  });

  it('never falls', async () => {
    await oldToken();
    await start('here');
    await stopAll();
    const rows = await store.db.selectFrom('clockHighWaterMark').selectAll().execute();
    expect(rows).toEqual([{ id: 1, reachedAt: new Date(START + HOUR) }]);
  });

  it('does not end the program if it cannot be raised, and stays', async () => {
    const broken = new TypeError('not a time');
    await start('here', () => Promise.reject(broken));
    await stopAll();
    expect(failures.splice(0)).toEqual([broken]);
    await start('here', () => Promise.reject(new StoreUnavailableError('no connection')));
    await stopAll();
    expect(failures).toEqual([]);
  });
});
