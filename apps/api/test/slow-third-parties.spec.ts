import { FakeIssuer } from '@app/accounts/testing';
import type { Client } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

/** The number of waiting requests of an address, beyond which the response is 503 at once. */
const WAITING = 32;

describe('requests that wait for another service', () => {
  const env: Record<string, string> = { MAX_IN_FLIGHT: '70', TRUST_PROXY: 'loopback' };
  let issuer: FakeIssuer;
  let opaque: FakeIssuer;
  beforeAll(async () => {
    [issuer, opaque] = await Promise.all([FakeIssuer.start(), FakeIssuer.start()]);
    opaque.metadata = { introspection_endpoint: `${opaque.url}/introspect` };
    Object.assign(env, {
      TRUSTED_ISSUERS: `${issuer.url} audience=shop-api ${opaque.url} audience=shop-api`,
      TOKEN_INTROSPECTION: `${opaque.url} client=shop secret=of-the-tests`,
      OIDC_CORP_ISSUER: issuer.url,
      OIDC_CORP_CLIENT_ID: 'shop',
      OIDC_CORP_CLIENT_SECRET: 'a client secret of the tests',
    });
  });
  afterAll(() => Promise.all([issuer.stop(), opaque.stop()]));
  const api = bootApi({ env });

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const complete = async (client: Client) => {
    const { json } = await client.post('/auth/providers/corp/authorize');
    const { state } = Object.fromEntries(new URL(json.url).searchParams);
    return { request: json.request, code: 'a code', state, iss: issuer.url };
  };

  /** Sends 120 requests of one address while a service does not respond, and then requests of others. */
  async function flood(
    service: FakeIssuer,
    send: (client: Client, at: number) => Promise<{ status: number }>,
  ) {
    const waiting = new Set<() => void>();
    service.respond = (_request, response) => void waiting.add(() => response.writeHead(500).end());
    const attacker = api().with(from('198.51.100.1'));
    const statuses: number[] = [];
    const sent = Array.from({ length: 120 }, async (_, at) =>
      statuses.push((await send(attacker, at)).status),
    );
    await vi.waitFor(() => expect(statuses).toHaveLength(120 - WAITING), { timeout: 20_000 });
    const others = await Promise.all(Array.from({ length: 30 }, () => api().get('/')));
    service.respond = (_request, response) => response.writeHead(500).end();
    for (const end of waiting) end();
    await Promise.all(sent);
    service.respond = undefined;
    return [new Set(statuses.slice(0, 120 - WAITING)), new Set(others.map(({ status }) => status))];
  }
  const refused = [new Set([503]), new Set([200])];

  it('are limited while a provider does not complete sign-ins', async () => {
    issuer.metadata = { authorization_endpoint: `${issuer.url}/a`, token_endpoint: `${issuer.url}/token` };
    const bodies: object[] = [];
    while (bodies.length < 120) bodies.push(await complete(api()));
    expect(
      await flood(issuer, (client, at) => client.post('/auth/providers/corp/complete', bodies[at])),
    ).toEqual(refused);
  });

  it('are limited while keys are read for the first time', async () => {
    const token = await issuer.sign();
    expect(await flood(issuer, (client) => client.as(token).get('/auth/profile'))).toEqual(refused);
  });

  it('are limited while a token is introspected, also if all have the same', async () => {
    expect(await flood(opaque, (client) => client.as('a-token').get('/auth/profile'))).toEqual(refused);
  });
});
