import { Logger } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

const password = 'correct horse battery staple';

describe.each([
  ['1d', 0],
  ['30d', 1],
])('a program with ACCESS_TOKEN_TTL=%s', (ACCESS_TOKEN_TTL, times) => {
  const logged: string[] = [];
  beforeAll(() => {
    vi.spyOn(Logger.prototype, 'warn').mockImplementation((line) => logged.push(String(line)));
  });
  const api = bootApi({ env: { ACCESS_TOKEN_TTL } });

  it('says at start what more than a day costs', () => {
    const lines = logged.filter((line) => line.startsWith('access tokens are valid for 2592000 s:'));
    expect(lines).toHaveLength(times);
    expect(logged.filter((line) => line.includes('ACCESS_TOKEN_TTL=1d'))).toEqual(lines);
  });

  it('issues such tokens, which end with their session', async () => {
    const email = newEmail();
    await api().post('/users', { email, password });
    const { access_token: token } = (await api().post('/auth/login', { username: email, password })).json;
    const { iat = 0, exp = 0 } = decodeJwt(token);
    expect((exp - iat) / 86_400).toBe(Number.parseInt(ACCESS_TOKEN_TTL));
    const session = await api().post('/auth/sessions', { username: email, password });
    expect(session.json.expires_in).toBe(exp - iat);
    const caller = api().as(token);
    expect((await caller.get('/auth/profile')).status).toBe(200);
    expect((await caller.post('/auth/logout')).status).toBe(204);
    expect((await caller.get('/auth/profile')).status).toBe(401);
  });
});
