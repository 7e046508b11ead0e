import { RevocationFeed } from '@app/accounts';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

describe('a program that cannot learn what was ended (D17, P3)', () => {
  // Tokens that live no longer than a test may wait.
  const api = bootApi({ env: { ACCESS_TOKEN_TTL: '1s' } });
  const soon = (claim: () => unknown) => vi.waitFor(claim, { timeout: 15_000, interval: 50 });

  it('says 503 on what is protected once a token may have lived through it, and recovers by itself', async () => {
    const email = newEmail();
    await api().post('/users', { email, password });
    const profile = async () => (await api().signIn(email, password)).get('/auth/profile');
    await soon(async () => expect((await profile()).status).toBe(200));

    const store = api.app().get(RevocationFeed, { strict: false })['store'];
    const reading = vi.spyOn(store, 'readSince').mockRejectedValue(new Error('the store is away'));
    await soon(async () => expect((await profile()).status).toBe(503));
    const refused = await profile();
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.json).toEqual({
      statusCode: 503,
      message: 'the service cannot tell at present who is signed in, try again shortly',
      error: 'Service Unavailable',
    });
    // Who brings no token, or none of ours, is no better known later.
    expect((await api().get('/auth/profile')).status).toBe(401);
    expect((await api().as('not.a.token').get('/auth/profile')).status).toBe(401);
    for (const path of ['/', '/health/live', '/health/ready'])
      expect((await api().get(path)).status).toBe(200);

    reading.mockRestore();
    await soon(async () => expect((await profile()).status).toBe(200));
  });
});
