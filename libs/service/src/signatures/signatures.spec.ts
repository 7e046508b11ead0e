import { createHmac } from 'node:crypto';
import { accounts } from '@app/accounts';
import { Public } from '@app/auth';
import { Body, compareExposures, exposureOf, Returns, routeLines } from '@app/contract';
import type { Queries } from '@app/persistence';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';
import { bootProgram, sendRaw } from '../../testing';
import { describeRoutes } from '../contract/describe-routes.discovery';
import { definePlugin } from '../plugin/define.plugin';
import { defineProgram } from '../program/define-program.bootstrap';
import { describeApi } from '../reference/api-description.service';
import { Transaction } from '../routes/transaction.decorator';
import { github, type SignatureScheme, standardWebhooks, stripe } from './schemes';
import { Signature, webhookSecrets } from './signature';
import { SignedBy } from './signed-by.decorator';

const [oldSecret, newSecret] = ['the old secret of Stripe', 'the new secret of Stripe'];
const githubSecret = "It's a Secret to Everybody";

/** A payment that a sender reports. */
class Paid {
  @IsInt() @Min(1) @Max(1000) amount!: number;
}

/** The amounts that reached the handlers. */
const amounts: number[] = [];

@Controller('hooks')
@Public()
class HooksController {
  @Post('stripe')
  @SignedBy(stripe({ secret: 'STRIPE_WEBHOOK_SECRET' }))
  @HttpCode(200)
  @Returns('text')
  async receivePayment(@Body({ unknown: 'strip' }) { amount }: Paid, @Transaction() _db?: Queries) {
    amounts.push(amount);
    if (amount === 500) throw new Error('after the effect');
    return `paid ${amount}`;
  }

  @Post('github')
  @SignedBy(github({ secret: 'GITHUB_WEBHOOK_SECRET' }))
  @HttpCode(204)
  @Returns('nothing')
  receivePush(@Body({ unknown: 'strip' }) { amount }: Paid, @Transaction() _db?: Queries) {
    amounts.push(amount);
  }

  @Post('plain')
  @HttpCode(204)
  @Returns('nothing')
  receive(@Body() _paid: Paid) {}
}

const hooks = definePlugin({
  name: 'hooks',
  settings: { STRIPE_WEBHOOK_SECRET: webhookSecrets(), GITHUB_WEBHOOK_SECRET: webhookSecrets() },
  controllers: [HooksController],
  server: (server) => {
    server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: unknown, body: unknown) => ({ amount: String(body).length }),
    );
  },
});
const program = defineProgram({ name: 'shop', plugins: [accounts(), hooks] });

const hmac = (secret: string, text: string | Buffer) =>
  createHmac('sha256', secret).update(text).digest('hex');
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

function stripeField(body: string, { secret = newSecret, at = secondsAgo(0) } = {}): string {
  return `t=${at},v1=${hmac(secret, `${at}.${body}`)},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39`;
}

describe.each(['compiled', 'nest'] as const)('a signed webhook (routes: %s)', (routes) => {
  const env = {
    STRIPE_WEBHOOK_SECRET: `${newSecret}, ${oldSecret}`,
    GITHUB_WEBHOOK_SECRET: githubSecret,
  };
  const app = bootProgram({ ...program, env, routes });
  beforeEach(() => void amounts.splice(0));

  const post = async (path: string, body: string, headers: Record<string, string>) => {
    const type = { 'content-type': 'application/json' };
    const all = { accept: 'application/problem+json', ...type, ...headers };
    const response = await fetch(`${app().url}/hooks/${path}`, { method: 'POST', headers: all, body });
    const text = await response.text();
    const code = response.headers.get('content-type')?.startsWith('application/problem')
      ? JSON.parse(text).code
      : undefined;
    return { status: response.status, text, code, isReplay: response.headers.has('idempotent-replayed') };
  };
  let events = 0;
  const eventOf = (amount: number) =>
    JSON.stringify({ id: `evt_${routes}_${events++}`, object: 'event', amount });
  const send = (body: string, field = stripeField(body)) =>
    post('stripe', body, { 'stripe-signature': field });

  it('reaches its handler, by the new secret and by the old secret', async () => {
    expect(await send(eventOf(1))).toMatchObject({ status: 200, text: 'paid 1' });
    const body = eventOf(2);
    expect(await send(body, stripeField(body, { secret: oldSecret }))).toMatchObject({ status: 200 });
    const delivery = { 'x-github-delivery': `push-${routes}` };
    const pushed = await post('github', '{"amount":3,"ref":"refs/heads/main"}', {
      ...delivery,
      'x-hub-signature-256': `sha256=${hmac(githubSecret, '{"amount":3,"ref":"refs/heads/main"}')}`,
    });
    expect(pushed.status).toBe(204);
    expect(amounts).toEqual([1, 2, 3]);
  });

  it('is refused before its body is parsed unless the signature is of these bytes, this secret and this time', async () => {
    const body = eventOf(4);
    const valid = stripeField(body);
    const refused = [
      send(body.replace('4', '5'), valid),
      send(`${body} `, valid),
      send('{"amount":', valid),
      send(body, stripeField(body, { secret: 'a secret of somebody' })),
      send(body, stripeField(body, { at: secondsAgo(301) })),
      send(body, stripeField(body, { at: secondsAgo(-303) })),
      send(body, valid.replace(/t=\d+/, `t=${secondsAgo(1)}`)),
      send(body, valid.replace(/t=\d+,/, '')),
      send(body, valid.replace('v1=', 'v0=')),
      send(body, valid.slice(0, -80)),
      post('stripe', body, {}),
      post('stripe', '', { 'stripe-signature': stripeField('') }),
    ];
    for (const reply of await Promise.all(refused))
      expect(reply).toMatchObject({ status: 400, code: 'invalid-signature' });
    expect(amounts).toEqual([]);
    expect(await send(body, valid)).toMatchObject({ status: 200, isReplay: false });
  });

  it('is refused without an id of the event, and with a signature of a further scheme', async () => {
    const body = '{"amount":6}';
    const signature = { 'x-hub-signature-256': `sha256=${hmac(githubSecret, body)}` };
    const sha1 = { 'x-hub-signature': signature['x-hub-signature-256'], 'x-github-delivery': 'a' };
    for (const reply of [await send(body), await post('github', body, sha1)])
      expect(reply).toMatchObject({ status: 400, code: 'invalid-signature' });
    expect(amounts).toEqual([]);
  });

  it('of GitHub has a single effect, whatever id its delivery has, because GitHub does not sign the id', async () => {
    const body = `{"amount":9,"of":"${routes}"}`;
    const signature = { 'x-hub-signature-256': `sha256=${hmac(githubSecret, body)}` };
    const deliver = (id: string) => post('github', body, { ...signature, 'x-github-delivery': id });
    expect(await deliver('first')).toMatchObject({ status: 204, isReplay: false });
    expect(await deliver('second')).toMatchObject({ status: 204, isReplay: true });
    expect(amounts).toEqual([9]);
  });

  it('has a single effect, also if its second delivery comes meanwhile or with a time of its own', async () => {
    const body = eventOf(7);
    const both = await Promise.all([send(body), send(body)]);
    expect(both.map(({ status }) => status)).toContain(200);
    expect(await send(body, stripeField(body, { at: secondsAgo(60) }))).toMatchObject({
      status: 200,
      text: 'paid 7',
      isReplay: true,
    });
    expect(amounts).toEqual([7]);
  });

  it('runs again after an error', async () => {
    const body = eventOf(500);
    expect([(await send(body)).status, (await send(body)).status]).toEqual([500, 500]);
    expect(amounts).toEqual([500, 500]);
  });

  it('is verified in chunks, and validated after the signature', async () => {
    const body = eventOf(8);
    const { port } = new URL(app().url);
    const half = body.length >> 1;
    const chunks = [body.slice(0, half), body.slice(half)].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    const head = (field: string) =>
      `POST /hooks/stripe HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nStripe-Signature: ${field}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunked = (field: string) => sendRaw(Number(port), head(field), ...chunks, '0\r\n\r\n');
    expect(await chunked(stripeField(`${body} `))).toMatchObject([{ status: 400 }]);
    expect(await chunked(stripeField(body))).toMatchObject([{ status: 200, body: 'paid 8' }]);
    expect(await send(JSON.stringify({ id: 'evt', amount: 'much' }))).toMatchObject({
      code: 'invalid-input',
    });
  });

  it('has the limits of every body, and no way around the parser', async () => {
    const long = JSON.stringify({ id: 'evt_long', amount: 1, text: 'x'.repeat(100 * 1024) });
    expect((await send(long)).status).toBe(413);
    const form = 'payload=1';
    const signed = { 'stripe-signature': stripeField(form) };
    expect(await post('stripe', form, { ...signed, 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    });
    expect(
      await post('stripe', form, { ...signed, 'content-type': 'application/x-www-form-urlencoded' }),
    ).toMatchObject({ status: 400, code: 'invalid-signature' });
    expect(amounts).toEqual([]);
  });

  it('is described, and a route that needs no signature any more is wider', () => {
    const described = describeRoutes(app.app());
    const line = routeLines(described, () => '').find(({ path }) => path === '/hooks/stripe');
    expect(line?.callers).toMatch(/^anyone.*, signed by stripe$/);
    const { post: operation } = describeApi(app.app()).paths['/hooks/stripe'] ?? {};
    expect(operation).toMatchObject({
      parameters: [{ name: 'Stripe-Signature', in: 'header', required: true }],
      responses: { 400: expect.anything(), 409: expect.anything() },
    });
    const exposure = exposureOf(described);
    const { signedBy, ...open } = { ...exposure['POST /hooks/stripe'] };
    expect(signedBy).toBe('stripe');
    expect(exposure['POST /hooks/plain']).not.toHaveProperty('signedBy');
    const after = { ...exposure, 'POST /hooks/stripe': open as (typeof exposure)[string] };
    expect(compareExposures(exposure, after).wider).toEqual([
      'POST /hooks/stripe needs no signature; it needed stripe',
    ]);
  });
});

describe('a documented signature', () => {
  afterEach(() => void vi.useRealTimers());

  const read = (scheme: SignatureScheme, secret: string, headers: Record<string, string>, body: string) =>
    new Signature(scheme, { SECRET: [secret] }, 'POST /').read({ headers }, Buffer.from(body), String);

  it('of Standard Webhooks is accepted: the example of its specification', () => {
    vi.useFakeTimers({ now: 1_614_265_330_000, toFake: ['Date'] });
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,bm90IHRoaXM= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    const scheme = standardWebhooks({ secret: 'SECRET' });
    expect(read(scheme, secret, headers, body)).toBe(body);
    for (const name of Object.keys(headers))
      expect(() => read(scheme, secret, { ...headers, [name]: 'msg_1' }, body)).toThrow('signature');
    vi.setSystemTime(1_614_265_631_000);
    expect(() => read(scheme, secret, headers, body)).toThrow('signature');
    const patient = standardWebhooks({ secret: 'SECRET', toleranceSeconds: 600 });
    expect(read(patient, secret, headers, body)).toBe(body);
  });

  it('of GitHub is accepted: the example of its documentation', () => {
    const headers = {
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    const scheme = github({ secret: 'SECRET' });
    expect(read(scheme, githubSecret, headers, 'Hello, World!')).toBe('Hello, World!');
    expect(() => read(scheme, githubSecret, headers, 'Hello, World?')).toThrow('signature');
  });

  it('of Stripe is accepted: a header that stripe-node 23.1.0 generates', () => {
    vi.useFakeTimers({ now: 1_686_089_970_000, toFake: ['Date'] });
    const event = {
      id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
      object: 'event',
      api_version: '2026-10-29',
      created: 1_686_089_970,
    };
    const body = `{
  "id": "${event.id}",
  "object": "event",
  "api_version": "${event.api_version}",
  "created": ${event.created},
  "data": {"object": {"id": "seti_1NG8Du2eZvKYlo2C9XMqbR0x", "object": "setup_intent", "status": "requires_confirmation"}},
  "livemode": false,
  "type": "setup_intent.created"
}`;
    const field = 't=1686089970,v1=eccc75b465275377430e4b4fad8589dbf5973cce595204685006eeca0c44f6aa';
    const signature = new Signature(
      stripe({ secret: 'SECRET' }),
      { SECRET: ['whsec_test_secret_0123456789abcdef'] },
      'POST /',
    );
    const headers = { 'stripe-signature': field };
    expect(
      signature.read({ headers }, Buffer.from(body), (bytes) => JSON.parse(String(bytes))),
    ).toMatchObject(event);
  });
});

describe('the secrets of a sender', () => {
  it.each([
    [{}, 'SECRET is not set, and POST /hooks verifies signatures with it.'],
    [{ SECRET: 'a text of a different setting' }, 'SECRET is not set'],
    [{ SECRET: ['a secret of enough bytes', 'short'] }, 'SECRET must have secrets of at least 16 bytes.'],
  ])('end the start if they are %j', (settings, message) => {
    expect(() => new Signature(stripe({ secret: 'SECRET' }), settings, 'POST /hooks')).toThrow(message);
  });

  it('are separated by commas', () => {
    expect(webhookSecrets().parse('new secret, old secret')).toEqual(['new secret', 'old secret']);
    expect(webhookSecrets().safeParse('new secret,').success).toBe(false);
    expect(webhookSecrets().parse(undefined)).toBeUndefined();
  });
});
