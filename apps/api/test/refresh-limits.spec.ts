import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';
const HOUR = 3_600_000;

describe('refreshes of one session', () => {
  const api = bootApi({ env: { REFRESH_SESSION_LIMIT: '3/1h' } });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  const refresh = (token: string) => api().post('/auth/refresh', { refresh_token: token });

  it('over the limit are 429 with Retry-After, until the hour is over', async () => {
    const username = newEmail();
    await api().post('/users', { email: username, password });
    let { refresh_token } = (await api().post('/auth/sessions', { username, password })).json;
    for (const _ of [1, 2, 3]) ({ refresh_token } = (await refresh(refresh_token)).json);
    vi.setSystemTime(Date.now() + HOUR / 4);
    const { status, json, headers } = await refresh(refresh_token);
    expect([status, json]).toEqual([
      429,
      {
        statusCode: 429,
        message: 'this session was refreshed too often, try again later',
        error: 'Too Many Requests',
      },
    ]);
    expect(headers.get('retry-after')).toBe('2700');
    vi.setSystemTime(Date.now() + (3 * HOUR) / 4);
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});
