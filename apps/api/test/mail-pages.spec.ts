import { createHash } from 'node:crypto';
import { Outbox } from '@app/mail';
import { newEmail } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

describe('the page of a reset link, without a web application', () => {
  const api = bootApi({ env: { PATH_PREFIX: '/v1' } });

  it('is served by the program, and may run its own script alone', async () => {
    const email = newEmail();
    await api().post('/users', { email, password: 'correct horse battery staple' });
    await api().post('/auth/password-resets', { username: email });
    const [mail] = await api.app().get(Outbox, { strict: false }).list({ limit: 1, offset: 0 });
    const link = new URL(mail?.text?.link ?? '');
    expect(link.pathname).toBe('/v1/reset-password');

    const { status, headers, text } = await api().get(link.pathname.slice('/v1'.length));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`);
    const [, route = ''] = /data-route="([^"]+)"/.exec(text) ?? [];
    const token = link.hash.slice('#token='.length);
    const set = await api().post(`/${route}`, { token, password: 'another pass phrase' });
    expect(set.status).toBe(204);
  });
});

describe('with a web application', () => {
  const api = bootApi({ env: { APP_URL: 'https://example.com' } });

  it('the program serves no page', async () => {
    expect((await api().get('/reset-password')).status).toBe(404);
  });
});
