import { Database } from '@app/persistence';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { FakeTime } from '../../testing/fake-time';
import { type Instance, makeInstance } from '../../testing/instance';

const [password, ip] = ['correct horse battery staple', '192.0.2.7'];

describe('sessions that are refreshed at once', () => {
  const current = useAccountsDatabase();

  function makeInstances(): Instance[] {
    return [current.db, current.openAnother()].map((db) => makeInstance(db, new FakeTime()));
  }

  it('of one account all get their tokens, by one program and by two', async () => {
    const [here, there] = makeInstances();
    await here.signUp.create({ email: 'ada@example.com', password });
    let tokens: string[] = [];
    while (tokens.length < 8) tokens.push(await openSession(here, 'ada@example.com'));

    for (const instances of [[here], [here], [here, there]]) tokens = await refreshAll(instances, tokens);
    expect(new Set(tokens).size).toBe(8);
  });

  it('of different accounts do not wait for each other, nor are retried', async () => {
    const instances = makeInstances();
    let tokens: string[] = [];
    while (tokens.length < 64) {
      const email = `user-${tokens.length}@example.com`;
      await instances[0].signUp.create({ email, password });
      tokens.push(await openSession(instances[0], email));
    }
    const transact = vi.spyOn(Database.prototype, 'transact');
    for (let round = 1; round <= 3; round += 1) {
      tokens = await refreshAll(instances, tokens);
      expect(transact).toHaveBeenCalledTimes(64 * round);
    }
  });
});

async function openSession(program: Instance, email: string): Promise<string> {
  return (await program.openSession(email, password, { ip }))?.refreshToken ?? '';
}

/** Each by one of the programs. */
async function refreshAll(instances: readonly Instance[], tokens: readonly string[]): Promise<string[]> {
  const pairs = await Promise.all(
    tokens.map((token, at) => instances[at % instances.length].sessionSignIn.refresh(token, ip)),
  );
  const refreshed = pairs.flatMap((pair) => pair?.refreshToken ?? []);
  expect(refreshed).toHaveLength(tokens.length);
  return refreshed;
}
