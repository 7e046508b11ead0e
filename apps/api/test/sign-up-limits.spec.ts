import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';
const HOUR = 3_600_000;

describe('sign-ups from one address (D24)', () => {
  const api = bootApi({ env: { TRUST_PROXY: 'loopback', SIGN_UP_ADDRESS_LIMIT: '3/1h' } });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  const signUp = (ip: string) =>
    api().with({ 'x-forwarded-for': ip }).post('/users', { email: newEmail(), password });

  it('are limited by the hour, and those of other addresses are not', async () => {
    for (const port of [1, 2, 3]) expect((await signUp(`192.0.2.1:${port}`)).status).toBe(201);
    vi.setSystemTime(Date.now() + HOUR / 2);
    const { status, json, headers } = await signUp('192.0.2.1:4');
    expect([status, json]).toEqual([
      429,
      {
        statusCode: 429,
        message: 'too many accounts were created from this address, try again later',
        error: 'Too Many Requests',
      },
    ]);
    expect(headers.get('retry-after')).toBe('1800');
    expect((await signUp('192.0.2.2')).status).toBe(201);
    vi.setSystemTime(Date.now() + HOUR / 2);
    expect((await signUp('192.0.2.1')).status).toBe(201);
  });
});
