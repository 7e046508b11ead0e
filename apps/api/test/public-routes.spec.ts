import { describeRoutes } from '@app/service';
import { bootApi } from '../testing/boot-api';

/** The complete list: adding a route is a decision (D1). */
const publicRoutes = [
  'GET /',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/openid-configuration',
  'GET /auth/providers',
  'GET /docs',
  'GET /docs/favicon.png',
  'GET /docs/page.css',
  'GET /docs/page.js',
  'GET /docs/swagger-ui-bundle.js',
  'GET /docs/swagger-ui.css',
  'GET /health',
  'GET /health/live',
  'GET /health/ready',
  'GET /openapi.json',
  'GET /problems',
  'GET /problems/:code',
  'GET /reset-password',
  'GET /undo-email-change',
  'POST /auth/email-changes/undo',
  'POST /auth/email-codes',
  'POST /auth/email-codes/complete',
  'POST /auth/login',
  'POST /auth/passkeys',
  'POST /auth/passkeys/complete',
  'POST /auth/password-resets',
  'POST /auth/password-resets/complete',
  'POST /auth/providers/:provider/authorize',
  'POST /auth/providers/:provider/complete',
  'POST /auth/refresh',
  'POST /auth/sessions',
  'POST /auth/sessions/complete',
  'POST /users',
];

describe('every route', () => {
  const api = bootApi();

  it('requires authentication unless it is in the list of public routes (P1)', () => {
    const open = describeRoutes(api.app()).filter(({ callers }) => callers.isPublic);
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(publicRoutes);
  });

  it('answers 401 without a token, before any other check', async () => {
    const closed = describeRoutes(api.app()).filter(({ callers }) => !callers.isPublic);
    expect(closed.length).toBeGreaterThan(15);
    for (const { method, path } of closed) {
      const url = path.replaceAll(/:\w+/g, 'nonsense');
      const { statusCode, body } = await api
        .app()
        .inject({ method: method as 'GET', url, payload: { odd: true } });
      expect([method, path, statusCode, body]).toEqual([
        method,
        path,
        401,
        '{"statusCode":401,"message":"Unauthorized"}',
      ]);
    }
  });

  it('requires authentication for every variant of its path (P1)', async () => {
    const token = await api.tokenOf({});
    for (const path of [
      '/items',
      '/%69tems',
      '/items?limit=1',
      '/items?',
      '/items#x',
      '/users/me',
      '/users/%6de',
    ]) {
      expect([path, (await api().get(path)).status]).toEqual([path, 401]);
      expect([path, (await api().as(token).get(path)).status]).toEqual([path, 200]);
    }
    for (const path of [
      '/ITEMS',
      '/items/',
      '//items',
      '/items;a=b',
      '/./items',
      '/x/../items',
      '/items%2f',
    ]) {
      expect([path, (await api().get(path)).status]).not.toEqual([path, 200]);
    }
  });

  it('requires authentication for HEAD like for GET', async () => {
    const statusOf = async (headers: Record<string, string>) =>
      (await api.app().inject({ method: 'HEAD', url: '/items', headers })).statusCode;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${await api.tokenOf({})}` })).toBe(200);
  });
});
