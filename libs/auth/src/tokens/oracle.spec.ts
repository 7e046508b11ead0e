import { createSecretKey } from 'node:crypto';
import * as fc from 'fast-check';
import { jwtVerify } from 'jose';
import { forgeToken } from '../../testing';
import { AccessTokens } from './access-tokens';

const SECRET = 'the secret of these tests, of 32 bytes and more';
const KEY = createSecretKey(SECRET, 'utf8');
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0, 333);
const SECONDS = Math.floor(NOW / 1000);
const tokens = new AccessTokens({ secret: SECRET, ttlSeconds: 60 });

/** The property: every token accepted here is accepted by jose, with the same claims. */
async function isAcceptedByBoth(token: string): Promise<boolean> {
  const claims = tokens.verify(token, NOW);
  if (!claims) return false;
  const { payload } = await jwtVerify(token, KEY, { algorithms: ['HS256'], currentDate: new Date(NOW) });
  expect(payload).toMatchObject(JSON.parse(JSON.stringify(claims)));
  return true;
}

const who = fc.record({
  sub: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  username: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  sid: fc.option(fc.string({ maxLength: 40 }), { nil: undefined }),
});

const time = fc.oneof(
  fc.integer({ min: SECONDS - 90, max: SECONDS + 90 }),
  fc.double({ min: SECONDS - 2, max: SECONDS + 2, noNaN: true }),
);

/** Almost valid claims, most of which reach the last checks. */
const nearlyClaims = fc.record(
  {
    sub: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1 }) }, fc.jsonValue()),
    username: fc.oneof({ weight: 5, arbitrary: fc.string({ minLength: 1 }) }, fc.jsonValue()),
    exp: fc.oneof({ weight: 5, arbitrary: time }, fc.jsonValue()),
    iat: fc.oneof({ weight: 5, arbitrary: time }, fc.jsonValue()),
    nbf: fc.oneof({ weight: 5, arbitrary: time }, fc.jsonValue()),
    jti: fc.oneof({ weight: 5, arbitrary: fc.string() }, fc.jsonValue()),
  },
  { requiredKeys: ['sub', 'username', 'exp'] },
);

/** Half of them are valid, so that enough tokens are accepted. */
const nearlyHeader = fc.oneof(
  fc.constant({ alg: 'HS256' }),
  fc.record(
    {
      alg: fc.constantFrom('HS256', 'HS256', 'HS256', 'HS384', 'none', ''),
      typ: fc.oneof(fc.constantFrom('JWT', 'jwt', 'at+jwt'), fc.jsonValue()),
      kid: fc.oneof(fc.string(), fc.jsonValue()),
      crit: fc.oneof(fc.constant(['exp']), fc.jsonValue()),
    },
    { requiredKeys: ['alg'] },
  ),
);

describe('compared with jose', () => {
  it('accepts everything it signs', async () => {
    await fc.assert(
      fc.asyncProperty(who, async (subject) => {
        expect(await isAcceptedByBoth(tokens.sign(subject, NOW))).toBe(true);
      }),
    );
  });

  it('accepts no mutated token that jose rejects', async () => {
    const character = fc.oneof(
      fc.constantFrom('.', '=', '-', '_', ' ', '+', '/', 'A'),
      fc.string({ maxLength: 2 }),
    );
    const mutation = fc.record({ at: fc.nat(400), cut: fc.nat(3), put: character });
    await fc.assert(
      fc.asyncProperty(who, fc.array(mutation, { maxLength: 3 }), async (subject, mutations) => {
        const token = mutations.reduce(
          (text, { at, cut, put }) =>
            text.slice(0, at % text.length) + put + text.slice((at % text.length) + cut),
          tokens.sign(subject, NOW),
        );
        await expect(isAcceptedByBoth(token)).resolves.toBeTypeOf('boolean');
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts no header and no claims that jose rejects', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(nearlyHeader, nearlyClaims, async (header, payload) => {
        accepted += Number(await isAcceptedByBoth(forgeToken({ header, payload, secret: SECRET })));
      }),
      { numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it('accepts nothing signed with another secret', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), who, (secret, { sub, username }) => {
        const payload = { sub, username, exp: SECONDS + 30 };
        expect(tokens.verify(forgeToken({ payload, secret }), NOW)).toBeUndefined();
      }),
    );
  });

  it('never throws for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(fc.base64String()).map((all) => all.join('.')),
        ),
        (text) => {
          expect(tokens.verify(text, NOW)).toBeUndefined();
        },
      ),
      { numRuns: 2000 },
    );
  });
});
