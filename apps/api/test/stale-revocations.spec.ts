import { RevocationFeed } from '@app/accounts';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

describe('a program that cannot read revocations (D17, P3)', () => {
  // A lifetime that a test can wait for.
  const api = bootApi({ env: { ACCESS_TOKEN_TTL: '1s' } });
  const soon = (claim: () => unknown) => vi.waitFor(claim, { timeout: 15_000, interval: 50 });

  it('answers 503 on protected routes after the lifetime of a token, and recovers', async () => {
    const email = newEmail();
    await api().post('/users', { email, password });
    const profile = async () => (await api().signIn(email, password)).get('/auth/profile');
    await soon(async () => expect((await profile()).status).toBe(200));

    const db = api.app().get(RevocationFeed, { strict: false })['db'];
    const reading = vi.spyOn(db, 'executeQuery').mockRejectedValue(new Error('the store is away'));
    await soon(async () => expect((await profile()).status).toBe(503));
    const refused = await profile();
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.json).toEqual({
      statusCode: 503,
      message: 'the service cannot tell at present who is signed in, try again shortly',
      error: 'Service Unavailable',
    });
    // Without a valid token the response is a 401 in any case.
    expect((await api().get('/auth/profile')).status).toBe(401);
    expect((await api().as('not.a.token').get('/auth/profile')).status).toBe(401);
    for (const path of ['/', '/health/live', '/health/ready'])
      expect((await api().get(path)).status).toBe(200);

    reading.mockRestore();
    await soon(async () => expect((await profile()).status).toBe(200));
  });
});
