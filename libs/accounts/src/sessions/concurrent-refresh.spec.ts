import { useMigratedDatabase } from '@app/persistence/testing';
import { FakeTime } from '../../testing/fake-time';
import { makeInstance } from '../../testing/instance';

const [email, password, ip] = ['ada@example.com', 'correct horse battery staple', '192.0.2.7'];

describe('sessions of one account that are refreshed at once', () => {
  const current = useMigratedDatabase();

  /** On PostgreSQL all but one of them conflict, each time. */
  it('all get their tokens, by one program and by two', async () => {
    const here = makeInstance(current.db, new FakeTime());
    const there = makeInstance(current.openAnother(), new FakeTime());
    await here.signUp.create({ email, password });
    let tokens: (string | undefined)[] = [];
    while (tokens.length < 8)
      tokens.push((await here.sessionSignIn.open(email, password, { ip }))?.refreshToken);

    for (const instances of [[here], [here], [here, there]]) {
      const refreshes = tokens.map((token = '', at) =>
        instances[at % instances.length]?.sessionSignIn.refresh(token, ip),
      );
      tokens = (await Promise.all(refreshes)).map((pair) => pair?.refreshToken);
      expect(tokens.filter(Boolean)).toHaveLength(8);
    }
    expect(new Set(tokens).size).toBe(8);
  });
});
