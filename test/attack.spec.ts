import { generateKeyPairSync } from 'node:crypto';
import { AccessTokens } from '@app/auth';
import { accessTokenIn, refreshTokenIn } from '../tools/attack/wire/answers.mts';
import { findRefresh, findSignIn } from '../tools/attack/target/callers.mts';
import { LeakDetector } from '../tools/attack/wire/leaks.mts';
import { nameOf, readOperations, type Schema } from '../tools/attack/openapi/openapi.mts';
import { readOptions } from '../tools/attack/options.mts';
import { outsideOf, outsideOfParameter } from '../tools/attack/openapi/outside.mts';
import { Findings, resultOf, tableOf } from '../tools/attack/target/results.mts';
import { sampleOf } from '../tools/attack/openapi/sample.mts';
import { claimsOf, faultySigned, type FaultyToken, faultyTokens } from '../tools/attack/wire/tokens.mts';
import { curlOf } from '../tools/attack/wire/exchange.mts';
import { Wire } from '../tools/attack/wire/wire.mts';
import { jwtVerify } from 'jose';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import description from '../apps/api/openapi.json';

const operations = readOperations(JSON.stringify(description));
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

describe('the operations of a document', () => {
  it('are those of api, with who may call them', () => {
    expect(operations.map(nameOf)).toContain('PATCH /users/{id}');
    const security = (name: string) => operations.find((candidate) => nameOf(candidate) === name)?.security;
    expect(security('GET /')).toEqual([]);
    expect(security('POST /items')).toEqual([
      { scheme: 'jwt', kind: 'bearer', roles: ['admin'] },
      { scheme: 'api-key', kind: 'other', roles: ['admin'], header: 'X-API-Key' },
    ]);
  });

  it('have the files that they take', () => {
    expect(operations.flatMap(({ upload }) => upload ?? [])).toEqual([
      { member: 'picture', types: ['image/png'], maxBytes: 2_000_000 },
    ]);
  });

  it('have their routes of sign-in and refresh found', () => {
    const signIn = findSignIn(operations);
    expect([signIn && nameOf(signIn.operation), signIn?.nameMember]).toEqual([
      'POST /auth/login',
      'username',
    ]);
    const refresh = findRefresh(operations);
    expect([refresh && nameOf(refresh.open), refresh && nameOf(refresh.refresh)]).toEqual([
      'POST /auth/sessions',
      'POST /auth/refresh',
    ]);
  });

  it('are missing in anything else', () => {
    expect(() => readOperations('{"swagger":"2.0"}')).toThrow('--openapi');
  });

  it('may contain schemas that contain themselves', () => {
    const schemas = { Tree: { type: 'object', properties: { part: { $ref: '#/components/schemas/Tree' } } } };
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } };
    const [operation] = readOperations(
      JSON.stringify({ paths: { '/trees': { post: { requestBody: body } } }, components: { schemas } }),
    );
    expect(operation?.body?.properties).toHaveProperty('part');
  });
});

const bodies = operations.flatMap((operation) =>
  operation.body ? [[nameOf(operation), operation.body] as const] : [],
);

describe.each(bodies)('the body of %s', (_, body) => {
  const isValid = ajv.compile(body);

  it('has valid samples, which differ', () => {
    expect([sampleOf(body, 1), sampleOf(body, 2)].map((value) => isValid(value))).toEqual([true, true]);
  });

  it('has samples one step outside each rule, and none is valid', () => {
    const outside = outsideOf(body, sampleOf(body, 1));
    expect(outside.length).toBeGreaterThan(3);
    expect(outside.filter(({ value }) => isValid(value)).map(({ rule }) => rule)).toEqual([]);
  });
});

describe('values one step outside', () => {
  const rulesOf = (schema: Schema) => outsideOf(schema, sampleOf(schema, 1)).map(({ rule }) => rule);

  it('break the rules of every place', () => {
    const item: Schema = {
      type: 'object',
      properties: { sku: { type: 'string', minLength: 1 } },
      required: ['sku'],
    };
    const schema: Schema = {
      type: 'object',
      properties: { items: { type: 'array', items: item, maxItems: 2 } },
    };
    expect(rulesOf(schema)).toEqual(
      expect.arrayContaining(['items: more than 2', 'items[].sku: shorter than 1', 'items[].sku: missing']),
    );
  });

  it('are texts for a path or a query', () => {
    const parameter = {
      name: 'limit',
      in: 'query' as const,
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    };
    const texts = outsideOfParameter(parameter).map(({ value }) => value);
    expect(texts).toEqual(expect.arrayContaining(['text', '0', '101', '1.5']));
  });
});

describe('faulty tokens', () => {
  const secret = 'a secret of a test that is long enough';
  const tokens = new AccessTokens({ secret, ttlSeconds: 60 });
  const token = tokens.sign({ sub: 7, username: 'ada@example.com' });
  const singles = (faulty: readonly FaultyToken[]) =>
    faulty.flatMap(({ fault, authorization }) => {
      const [, forged] = typeof authorization === 'string' ? (/^Bearer (.+)$/.exec(authorization) ?? []) : [];
      return forged === undefined ? [] : [[fault, forged] as const];
    });

  it('are all refused by our verification, which accepts the valid one', () => {
    expect(claimsOf(token)).toMatchObject({ sub: 7 });
    expect(tokens.verify(token)).toBeDefined();
    const faulty = singles([...faultyTokens(token), ...faultySigned(token, secret, Date.now())]);
    expect(faulty.length).toBeGreaterThan(25);
    expect(faulty.filter(([, forged]) => tokens.verify(forged) !== undefined)).toEqual([]);
  });

  it('have the other signature of ES256, which is valid elsewhere and refused by us', async () => {
    const { privateKey: key, publicKey: verifier } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const own = new AccessTokens({ keys: [{ algorithm: 'ES256', kid: 'a', key, verifier }], ttlSeconds: 60 });
    const faulty = singles(faultyTokens(own.sign({ sub: 7, username: 'ada@example.com' })));
    const [, mirrored = ''] = faulty.find(([fault]) => fault === 'the other signature of ES256') ?? [];
    expect((await jwtVerify(mirrored, verifier)).payload).toMatchObject({ sub: 7 });
    expect(faulty.filter(([, forged]) => own.verify(forged) !== undefined)).toEqual([]);
  });

  it('are read from answers', () => {
    const text = '{"access_token":"a.b.c","refresh_token":"r"}';
    expect([accessTokenIn(text), refreshTokenIn(text), accessTokenIn('{}')]).toEqual([
      'a.b.c',
      'r',
      undefined,
    ]);
  });
});

describe('the search for leaks', () => {
  const looked = (text: string, path = '/') => {
    const watch = new LeakDetector();
    watch.keep('the secret', 'a very secret text');
    watch.look({ method: 'GET', path }, { status: 500, headers: {}, text, milliseconds: 1 });
    return watch.leaks.map(({ what }) => what);
  };

  it.each([
    ['a password hash', '{"password":"$argon2id$v=19$m=19456"}'],
    ['a stack trace', 'Error: x\n    at read (/srv/app/main.js:12:3)'],
    ['a file path', 'cannot open /home/ada/service/data.db'],
    ['a message of a database', 'SQLITE_CONSTRAINT: failed'],
    ['the secret', 'here is a very secret text'],
  ])('finds %s', (what, text) => expect(looked(text)).toContain(what));

  it('finds what a terminal obeys, in the log', () => {
    const watch = new LeakDetector();
    watch.lookAtLog('{"msg":"a \\u001b[2J, a tab\t and Grüße 👩‍💻"}\r\n');
    expect(watch.leaks).toEqual([]);
    for (const character of ['\u001b', '\u009b', '\u202e', '\u2028'])
      watch.lookAtLog(`before${character}after`);
    expect(watch.leaks.map(({ what }) => what)).toEqual(
      Array.from({ length: 4 }, () => 'a character that a terminal obeys, in the log'),
    );
  });

  it('ignores what was sent by the attack itself', () => {
    expect(looked('Cannot GET /home/ada/x', '/home/ada/x')).toEqual([]);
    expect(looked('{"email":"ada@example.com"}')).toEqual([]);
  });
});

describe('the command', () => {
  const accounts = ['--user', 'a:b', '--other', 'c:d', '--admin', 'e:f'];

  it('attacks this machine alone by default', () => {
    expect(() => readOptions(['--url', 'https://example.com', ...accounts], {})).toThrow('--this-is-mine');
    expect(readOptions(['--url', 'https://example.com', '--this-is-mine', ...accounts], {}).url).toBe(
      'https://example.com',
    );
    expect(readOptions(['--url', 'http://127.0.0.1:3000/', ...accounts], {}).url).toBe(
      'http://127.0.0.1:3000',
    );
  });

  it('takes the accounts from flags or from the environment', () => {
    expect(() => readOptions(['--url', 'http://localhost:3000'], {})).toThrow('--user');
    const env = { ATTACK_USER: 'a:b', ATTACK_OTHER: 'c:d', ATTACK_ADMIN: 'e:f' };
    expect(readOptions(['--url', 'http://localhost:3000'], env).accounts?.admin).toBe('e:f');
  });

  it('shows each failure with the request that shows it', () => {
    const findings = new Findings(new Wire(new URL('http://127.0.0.1:3000')));
    findings.expect(true, 'never shown');
    findings.expect(false, 'GET /me answers 200', {
      method: 'GET',
      path: '/me',
      headers: { authorization: 'Bearer x' },
    });
    const table = tableOf([resultOf('authentication', 'faulty tokens', findings)]);
    expect(table).toContain("curl -sS -X GET 'http://127.0.0.1:3000/me' -H 'authorization: Bearer x'");
    expect(table).toContain('0 passed, 1 failed, 0 skipped');
    expect(table).not.toContain('never shown');
  });

  it('says that a check without a case was skipped', () => {
    const findings = new Findings(new Wire(new URL('http://127.0.0.1:3000')));
    findings.note('the service has no refresh tokens');
    expect(resultOf('a', 'b', findings)).toMatchObject({
      outcome: 'SKIP',
      note: 'the service has no refresh tokens',
    });
  });

  it('quotes a request for a shell', () => {
    const attempt = { method: 'POST', path: '/a', body: `{"name":"it's"}` };
    expect(curlOf(attempt, new URL('http://127.0.0.1:1'))).toBe(
      `curl -sS -X POST 'http://127.0.0.1:1/a' -d '{"name":"it'\\''s"}'`,
    );
  });
});
