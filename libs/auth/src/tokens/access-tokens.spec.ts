import { createSecretKey } from 'node:crypto';
import { CompactSign, jwtVerify, SignJWT } from 'jose';
import { forgeToken, segment } from '../../testing';
import { AccessTokens } from './access-tokens';
import { BoundedCache } from './bounded-cache';
import { secretKey, signatureOf } from './token-key';

const SECRET = 'the secret of these tests, of 32 bytes and more';
const OTHER = 'the other secret of these tests, as long as that';
const KEY = createSecretKey(SECRET, 'utf8');
/** A time with a fraction of a second. */
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0, 333);
const SECONDS = Math.floor(NOW / 1000);
const WHO = { sub: 7, username: 'ada@example.com' };
const CLAIMS = { ...WHO, iat: SECONDS, exp: SECONDS + 60 };

const tokens = new AccessTokens({ secret: SECRET, ttlSeconds: 60 });
const verify = (token: string, now = NOW) => tokens.verify(token, now);
const forge = (payload: unknown) => forgeToken({ payload, secret: SECRET });
const withHeader = (header: object | string) => forgeToken({ header, payload: CLAIMS, secret: SECRET });

describe('signing an access token', () => {
  it('has sub, username, iat, exp, jti and sid', () => {
    const claims = verify(tokens.sign({ ...WHO, sid: 'a-session' }, NOW));
    expect(claims).toEqual({ ...CLAIMS, sid: 'a-session', jti: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('has the time of the sign-in, if that is known', () => {
    expect(verify(tokens.sign({ ...WHO, auth_time: 7 }, NOW))?.auth_time).toBe(7);
    expect(verify(tokens.sign(WHO, NOW))?.auth_time).toBeUndefined();
  });

  it('has no sid without a session', () => {
    const [, payload = ''] = tokens.sign(WHO, NOW).split('.');
    const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(Object.keys(claims)).toEqual(['sub', 'username', 'iat', 'exp', 'jti']);
  });

  it('has a unique jti', () => {
    expect(verify(tokens.sign(WHO, NOW))?.jti).not.toBe(verify(tokens.sign(WHO, NOW))?.jti);
  });

  it('has algorithm, type and key id in the header, and not the secret', () => {
    const [header = ''] = tokens.sign(WHO, NOW).split('.');
    const fields: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    expect(fields).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{11}$/) });
  });

  it('is accepted by jose', async () => {
    const { payload, protectedHeader } = await jwtVerify(tokens.sign(WHO, NOW), KEY, {
      algorithms: ['HS256'],
      typ: 'JWT',
      currentDate: new Date(NOW),
    });
    expect(payload).toMatchObject(CLAIMS);
    expect(protectedHeader.alg).toBe('HS256');
  });

  it.each([31, 0])('rejects a secret of %i bytes', (length) => {
    expect(() => new AccessTokens({ secret: 'x'.repeat(length), ttlSeconds: 60 })).toThrow(TypeError);
  });

  it('rejects a previous secret that is too short', () => {
    expect(() => new AccessTokens({ secret: SECRET, previous: ['short'], ttlSeconds: 60 })).toThrow(
      TypeError,
    );
  });

  it.each([0, -1, 1.5, NaN, Infinity])('rejects a lifetime of %d seconds', (ttlSeconds) => {
    expect(() => new AccessTokens({ secret: SECRET, ttlSeconds })).toThrow(TypeError);
  });

  it('treats text, bytes and a key as the same secret', () => {
    const secrets = [SECRET, Buffer.from(SECRET), KEY];
    const signed = secrets.map((secret) => new AccessTokens({ secret, ttlSeconds: 60 }).sign(WHO, NOW));
    expect(signed.map((token) => verify(token)?.sub)).toEqual([7, 7, 7]);
  });
});

describe('verifying an access token', () => {
  it('accepts one that jose signed', async () => {
    const { sub, ...others } = CLAIMS;
    const claims = { ...others, ['sub' as string]: sub };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(KEY);
    expect(verify(token)).toEqual(CLAIMS);
  });

  it('accepts one without iat, jti and sid, which are optional', () => {
    expect(verify(forge({ ...WHO, exp: SECONDS + 60 }))).toEqual({ ...WHO, exp: SECONDS + 60 });
  });

  it('returns known claims only', () => {
    expect(verify(forge({ ...CLAIMS, role: 'admin' }))).toEqual(CLAIMS);
  });

  it('rejects one from the millisecond of its expiry (P2)', () => {
    const token = tokens.sign(WHO, NOW);
    const expiry = (SECONDS + 60) * 1000;
    expect(verify(token, expiry - 1)).toBeDefined();
    expect(verify(token, expiry)).toBeUndefined();
    expect(verify(token, expiry + 1)).toBeUndefined();
  });

  it('rejects one with too long a lifetime', () => {
    expect(verify(forge({ ...CLAIMS, exp: SECONDS + 61 }))).toBeUndefined();
    expect(verify(forge({ ...WHO, exp: SECONDS + 61 }))).toBeUndefined();
  });

  it('rejects one issued in the future, except within the permitted clock skew', () => {
    expect(verify(forge({ ...CLAIMS, iat: SECONDS + 5, exp: SECONDS + 65 }))).toBeDefined();
    expect(verify(forge({ ...CLAIMS, iat: SECONDS + 6, exp: SECONDS + 66 }))).toBeUndefined();
    expect(verify(forge({ ...CLAIMS, iat: SECONDS + 1e6, exp: SECONDS + 1e6 + 60 }))).toBeUndefined();
  });

  it('honours nbf', () => {
    expect(verify(forge({ ...CLAIMS, nbf: SECONDS }))).toBeDefined();
    expect(verify(forge({ ...CLAIMS, nbf: SECONDS + 1 }))).toBeUndefined();
  });

  it('rejects one signed with another secret', () => {
    const others = new AccessTokens({ secret: OTHER, ttlSeconds: 60 });
    expect(verify(others.sign(WHO, NOW))).toBeUndefined();
  });

  it('rejects more than 4 KiB before any work', () => {
    const [small = '', large = ''] = [2800, 3000].map((length) =>
      forge({ ...CLAIMS, filler: 'x'.repeat(length) }),
    );
    expect(small.length).toBeLessThanOrEqual(4096);
    expect(verify(small)).toEqual(CLAIMS);
    expect(large.length).toBeGreaterThan(4096);
    expect(verify(large)).toBeUndefined();
  });
});

describe('the audience of a token', () => {
  const issuer = 'sluice';
  const api = new AccessTokens({ secret: SECRET, ttlSeconds: 60, issuer, audience: 'api' });
  const admin = new AccessTokens({ secret: SECRET, ttlSeconds: 60, issuer, audience: 'admin' });

  it('is signed, with the issuer, and checked by jose', async () => {
    const check = { algorithms: ['HS256'], issuer, audience: 'api', currentDate: new Date(NOW) };
    const { payload } = await jwtVerify(api.sign(WHO, NOW), KEY, check);
    expect(payload).toMatchObject({ iss: 'sluice', aud: 'api' });
  });

  it('is the one that is accepted', () => {
    expect(api.verify(api.sign(WHO, NOW), NOW)).toMatchObject(WHO);
    expect(admin.verify(api.sign(WHO, NOW), NOW)).toBeUndefined();
    expect(tokens.verify(api.sign(WHO, NOW), NOW)).toBeUndefined();
  });

  it('is not needed: a token with the claims of the specification alone is accepted (§5.5)', () => {
    expect([api, admin].map((program) => program.verify(forge(CLAIMS), NOW))).toEqual([CLAIMS, CLAIMS]);
  });

  it.each([
    [{ aud: 'api' }, true],
    [{ aud: ['admin', 'api'] }, true],
    [{ iss: 'sluice' }, true],
    [{ aud: ['admin'] }, false],
    [{ aud: [] }, false],
    [{ aud: 'API' }, false],
    [{ aud: null }, false],
    [{ aud: { api: true } }, false],
    [{ aud: [['api']] }, false],
    [{ aud: 'api', iss: 'another' }, false],
    [{ iss: null }, false],
    [{ iss: ['sluice'] }, false],
  ])('decides on %j: %s', (named, isAccepted) => {
    expect(api.verify(forge({ ...CLAIMS, ...named }), NOW) !== undefined).toBe(isAccepted);
  });
});

describe('rotating the secret', () => {
  const before = new AccessTokens({ secret: OTHER, ttlSeconds: 60 });
  const during = new AccessTokens({ secret: SECRET, previous: [OTHER], ttlSeconds: 60 });

  it('still accepts tokens of the previous secret', () => {
    expect(during.verify(before.sign(WHO, NOW), NOW)).toMatchObject(WHO);
  });

  it('accepts tokens of the previous secret without a key id or with an unknown one', () => {
    const unnamed = forgeToken({ payload: CLAIMS, secret: OTHER });
    const foreign = forgeToken({ header: { alg: 'HS256', kid: 'k1' }, payload: CLAIMS, secret: OTHER });
    expect([unnamed, foreign].map((token) => during.verify(token, NOW))).toEqual([CLAIMS, CLAIMS]);
  });

  it('signs with the new one only', () => {
    expect(tokens.verify(during.sign(WHO, NOW), NOW)).toMatchObject(WHO);
    expect(before.verify(during.sign(WHO, NOW), NOW)).toBeUndefined();
  });
});

describe('two kinds of token that share a secret', () => {
  const invitations = new AccessTokens({ secret: SECRET, ttlSeconds: 60, type: 'invitation+jwt' });

  it('are not interchangeable when their types differ', () => {
    expect(invitations.verify(tokens.sign(WHO, NOW), NOW)).toBeUndefined();
    expect(tokens.verify(invitations.sign(WHO, NOW), NOW)).toBeUndefined();
    expect(invitations.verify(invitations.sign(WHO, NOW), NOW)).toMatchObject(WHO);
  });

  it('are not interchangeable without a type', () => {
    expect(invitations.verify(withHeader({ alg: 'HS256' }), NOW)).toBeUndefined();
    expect(verify(withHeader({ alg: 'HS256' }))).toEqual(CLAIMS);
  });

  it('are interchangeable when only their lifetimes differ', () => {
    const long = new AccessTokens({ secret: OTHER, previous: [SECRET], ttlSeconds: 3600 });
    expect(tokens.isInterchangeableWith(long)).toBe(true);
    expect(long.isInterchangeableWith(tokens)).toBe(true);
    expect(tokens.isInterchangeableWith(invitations)).toBe(false);
    expect(tokens.isInterchangeableWith(new AccessTokens({ secret: OTHER, ttlSeconds: 60 }))).toBe(false);
  });
});

describe('a hostile header', () => {
  it.each(['HS384', 'HS512'])('with %s is rejected, although the secret is the same', async (alg) => {
    const token = await new CompactSign(Buffer.from(JSON.stringify(CLAIMS)))
      .setProtectedHeader({ alg, typ: 'JWT' })
      .sign(KEY);
    expect(verify(token)).toBeUndefined();
  });

  it.each([
    ['alg none', { alg: 'none' }],
    ['alg in another case', { alg: 'hs256' }],
    ['alg RS256', { alg: 'RS256' }],
    ['no alg', { typ: 'JWT' }],
    ['alg as a list', { alg: ['HS256'] }],
    ['crit', { alg: 'HS256', crit: ['exp'] }],
    ['an empty crit', { alg: 'HS256', crit: [] }],
    ['crit null', { alg: 'HS256', crit: null }],
    ['b64', { alg: 'HS256', b64: false }],
    ['b64 true', { alg: 'HS256', b64: true }],
    ['another typ', { alg: 'HS256', typ: 'at+jwt' }],
    ['typ as a number', { alg: 'HS256', typ: 1 }],
    ['typ null', { alg: 'HS256', typ: null }],
    ['a list', ['HS256']],
    ['text', '"HS256"'],
    ['null', 'null'],
    ['invalid JSON', 'alg=HS256'],
    ['trailing text', '{"alg":"HS256"} x'],
  ])('with %s is rejected, although the signature is right', (_, header) => {
    expect(verify(withHeader(header))).toBeUndefined();
  });

  it('that is not UTF-8 is rejected, although the signature is right', () => {
    const header = Buffer.from('{"alg":"HS256","x":"\xff"}', 'latin1').toString('base64url');
    expect(verify(signedAsIs(header, segment(CLAIMS)))).toBeUndefined();
  });

  it('may have the type in any case', () => {
    expect(verify(withHeader({ alg: 'HS256', typ: 'jwt' }))).toEqual(CLAIMS);
  });
});

describe('a hostile payload', () => {
  const { iat, exp, sub, username } = CLAIMS;

  it.each([
    ['a list', []],
    ['text', '"s"'],
    ['a number', 1],
    ['null', null],
    ['true', true],
    ['invalid JSON', 'sub=7'],
    ['no exp', { sub, username, iat }],
    ['exp 1e999', `{"sub":7,"username":"a","exp":1e999}`],
    ['exp as text', { ...CLAIMS, exp: String(exp) }],
    ['exp null', { ...CLAIMS, exp: null }],
    ['exp -1', { ...CLAIMS, exp: -1 }],
    ['iat as text', { ...CLAIMS, iat: String(iat) }],
    ['iat null', { ...CLAIMS, iat: null }],
    ['iat -1e999', `{"sub":7,"username":"a","iat":-1e999,"exp":${exp}}`],
    ['nbf as text', { ...CLAIMS, nbf: '0' }],
    ['no sub', { username, iat, exp }],
    ['sub {}', { ...CLAIMS, sub: {} }],
    ['sub null', { ...CLAIMS, sub: null }],
    ['sub as text', { ...CLAIMS, sub: '1' }],
    ['sub 0', { ...CLAIMS, sub: 0 }],
    ['sub -1', { ...CLAIMS, sub: -1 }],
    ['sub 1.5', { ...CLAIMS, sub: 1.5 }],
    ['an unsafe integer as sub', { ...CLAIMS, sub: 2 ** 53 }],
    ['sub [7]', { ...CLAIMS, sub: [7] }],
    ['no username', { sub, iat, exp }],
    ['an empty username', { ...CLAIMS, username: '' }],
    ['a username that is a number', { ...CLAIMS, username: 5 }],
    ['a username of 321 characters', { ...CLAIMS, username: 'x'.repeat(321) }],
    ['an unpaired surrogate in the username', `{"sub":7,"username":"a\\ud800","iat":${iat},"exp":${exp}}`],
    ['jti as a number', { ...CLAIMS, jti: 1 }],
    ['jti null', { ...CLAIMS, jti: null }],
    ['sid as a list', { ...CLAIMS, sid: ['s'] }],
    ['auth_time as text', { ...CLAIMS, auth_time: '7' }],
  ])('with %s is rejected, although the signature is right', (_, payload) => {
    expect(verify(forge(payload))).toBeUndefined();
  });

  it('that is not UTF-8 is rejected, although the signature is right', () => {
    const payload = Buffer.from(JSON.stringify({ ...CLAIMS, username: '\xff' }), 'latin1').toString(
      'base64url',
    );
    expect(verify(signedAsIs(segment({ alg: 'HS256' }), payload))).toBeUndefined();
  });

  it('cannot set claims through __proto__', () => {
    expect(verify(forge(`{"__proto__":${JSON.stringify(CLAIMS)}}`))).toBeUndefined();
  });
});

describe('a malformed token', () => {
  const token = forge(CLAIMS);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const lastBitsChanged = `${signature.slice(0, -1)}${nextCharacter(signature.slice(-1))}`;

  it.each([
    ['nothing', ''],
    ['dots alone', '..'],
    ['one segment', payload],
    ['two segments', `${header}.${payload}`],
    ['an empty signature', `${header}.${payload}.`],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${header}..${signature}`],
    ['a fourth segment', `${token}.${signature}`],
    ['a fourth, empty segment', `${token}.`],
    ['a space before', ` ${token}`],
    ['a space after', `${token} `],
    ['a newline after', `${token}\n`],
    ['padding', `${token}=`],
    ['a NUL after', `${token}\0`],
    ['a non-canonical signature', `${header}.${payload}.${lastBitsChanged}`],
    [
      'a signature in hexadecimal',
      `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('hex')}`,
    ],
    [
      'characters that are truncated to the signature in Latin-1',
      `${header}.${payload}.${shifted(signature)}`,
    ],
    ['a signature cut short', token.slice(0, -1)],
    ['alg none and no signature', `${segment({ alg: 'none' })}.${payload}.`],
  ])('(%s) is rejected', (_, spelling) => {
    expect(verify(token)).toEqual(CLAIMS);
    expect(verify(spelling)).toBeUndefined();
  });

  it('in a non-canonical encoding is rejected even with a valid signature', () => {
    const spellings = [`${header}=`, ` ${header}`, `${header}\n`].map((spelled) => [spelled, payload]);
    const signed = [...spellings, [header, `${payload}==`], [header, `${payload} `]];
    expect(signed.map(([head = '', body = '']) => verify(signedAsIs(head, body)))).toEqual(
      signed.map(() => undefined),
    );
  });
});

/** Differs in the two lowest bits of the last character, which decoders drop. */
function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet.charAt(alphabet.indexOf(character) ^ 1);
}

function shifted(text: string): string {
  return text.replaceAll(/./g, (character) => String.fromCharCode(character.charCodeAt(0) + 0x100));
}

function signedAsIs(header: string, payload: string): string {
  const signingInput = `${header}.${payload}`;
  return `${signingInput}.${signatureOf(secretKey(KEY), signingInput)}`;
}

describe('an access token in the cache', () => {
  it('is rejected once expired, and when its issue is in the future', () => {
    const token = tokens.sign(WHO, NOW);
    expect(verify(token)).toMatchObject(WHO);
    expect(verify(token, NOW + 61_000)).toBeUndefined();
    expect(verify(token)).toMatchObject(WHO);
    expect(verify(token, NOW - 60_000)).toBeUndefined();
  });

  it('is cached only up to a length, while longer ones are accepted', () => {
    const remember = vi.spyOn(BoundedCache.prototype, 'set');
    for (const sid of ['x'.repeat(2000), 'a session'])
      expect(verify(tokens.sign({ ...WHO, sid }, NOW))).toMatchObject({ sid });
    expect(remember).toHaveBeenCalledTimes(1);
    remember.mockRestore();
  });

  it('does not validate another token', () => {
    const token = tokens.sign(WHO, NOW);
    verify(token);
    const [header, payload, signature = ''] = token.split('.');
    expect(verify(`${header}.${payload}.${signature.slice(0, -1)}`)).toBeUndefined();
    expect(verify(`${header}.${segment({ ...CLAIMS, sub: 8 })}.${signature}`)).toBeUndefined();
    expect(verify(`${token}.`)).toBeUndefined();
  });

  it('returns a new object each time, so that callers may modify it', () => {
    const token = tokens.sign(WHO, NOW);
    Object.assign(verify(token) ?? {}, { sub: 8 });
    expect(verify(token)?.sub).toBe(WHO.sub);
  });
});
