import { bootApi } from '../testing/boot-api';

describe('DOCS=off', () => {
  const api = bootApi({ env: { DOCS: 'off' } });

  it.each(['/docs', '/docs/page.js', '/openapi.json'])('has no %s, even for administrators', async (path) => {
    expect((await (await api.administrator()).get(path)).status).toBe(404);
  });
});

describe('DOCS=signed-in', () => {
  const api = bootApi({ env: { DOCS: 'signed-in' } });

  it('sends the document to callers only', async () => {
    const { status, headers } = await api().get('/openapi.json');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await (await api.newcomer()).get('/openapi.json')).json.openapi).toBe('3.1.0');
  });

  it('sends everybody the page, which loads the document after the sign-in', async () => {
    const { status, text } = await api().get('/docs');
    expect(status).toBe(200);
    expect(text).toContain('data-needs-session');
    expect((await api().get('/docs/page.js')).status).toBe(200);
  });
});
