import { AccessTokens } from '../tokens/access-tokens';
import { BoundedCache } from '../tokens/bounded-cache';
import { secretKey } from '../tokens/token-key';
import { bearerStrategy, bearerToken } from './bearer';
import type { AuthRequest } from './strategy';

const tokens = new AccessTokens({
  secret: 'the secret of these tests, of 32 bytes and more',
  ttlSeconds: 60,
});
const token = tokens.sign({ sub: 7, username: 'ada@example.com' });

function requestWith(authorization: string | undefined, rawHeaders?: readonly string[]): AuthRequest {
  const raw = authorization === undefined ? [] : ['Host', 'localhost', 'Authorization', authorization];
  return { method: 'GET', headers: { authorization }, rawHeaders: rawHeaders ?? raw, ip: '::1' };
}

describe('the token of a request', () => {
  it.each(['Bearer abc', 'bearer abc', 'BEARER abc', 'bEaReR abc', 'Bearer   abc'])(
    'is read from %j',
    (value) => {
      expect(bearerToken(requestWith(value))).toBe('abc');
    },
  );

  it('may have every character that RFC 6750 permits', () => {
    expect(bearerToken(requestWith('Bearer aZ09-._~+/=='))).toBe('aZ09-._~+/==');
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'abc',
    'Basic abc',
    'Bearerabc',
    'Bearer\tabc',
    ' Bearer abc',
    'Bearer abc ',
    'Bearer abc def',
    'Bearer abc,def',
    'Bearer abc, Bearer def',
    'Bearer =',
    'Bearer a=b',
    'Bearer "abc"',
    'Bearer äbc',
    'Bearer abc\n',
    'token abc',
  ])('is not read from %j', (value) => {
    expect(bearerToken(requestWith(value))).toBeUndefined();
  });

  it.each([
    ['twice', ['Authorization', 'Bearer abc', 'Authorization', 'Bearer abc']],
    ['twice, in two spellings', ['authorization', 'Bearer abc', 'Host', 'x', 'AUTHORIZATION', 'Basic eA==']],
    ['never, according to the raw headers', ['Host', 'Authorization']],
  ])('is not read when the header was sent %s', (_, rawHeaders) => {
    expect(bearerToken(requestWith('Bearer abc', rawHeaders))).toBeUndefined();
  });

  it('is read when another header contains the word', () => {
    const rawHeaders = [
      'X-Note',
      'Authorization',
      'Proxy-Authorization',
      'Basic eA==',
      'authorization',
      'Bearer abc',
    ];
    expect(bearerToken(requestWith('Bearer abc', rawHeaders))).toBe('abc');
  });
});

describe('a bearer strategy', () => {
  it('passes claims and request to the check, and returns its result unchanged', () => {
    const check = vi.fn<() => object>(() => ({ userId: 7 }));
    const request = requestWith(`Bearer ${token}`);
    expect(bearerStrategy({ name: 'jwt', tokens, check }).authenticate(request)).toEqual({ userId: 7 });
    expect(check).toHaveBeenCalledWith(
      expect.objectContaining({ sub: 7, username: 'ada@example.com' }),
      request,
    );
  });

  it('does not call the check for an invalid token', () => {
    const check = vi.fn<() => object>(() => ({}));
    const strategy = bearerStrategy({ name: 'jwt', tokens, check });
    expect(strategy.authenticate(requestWith('Bearer abc'))).toBeUndefined();
    expect(strategy.authenticate(requestWith(undefined))).toBeUndefined();
    expect(check).not.toHaveBeenCalled();
  });

  it.each([
    ['sent once more', ['Authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`]],
    ['not in the raw headers', []],
  ])('rejects a header that it accepted before when it is %s', (_, rawHeaders) => {
    const strategy = bearerStrategy({ name: 'jwt', tokens, check: ({ sub }) => ({ userId: sub }) });
    expect(strategy.authenticate(requestWith(`Bearer ${token}`))).toEqual({ userId: 7 });
    expect(strategy.authenticate(requestWith(`Bearer ${token}`))).toEqual({ userId: 7 });
    expect(strategy.authenticate(requestWith(`Bearer ${token}`, rawHeaders))).toBeUndefined();
  });

  it('checks a header each time: the account, and the key', () => {
    const ofKey = (text: string) => ({
      secret: `${text} of these tests, of 32 bytes and more`,
      ttlSeconds: 60,
    });
    const own = new AccessTokens(ofKey('a secret'));
    const request = requestWith(`Bearer ${own.sign({ sub: 7, username: 'ada@example.com' })}`);
    let isPresent = true;
    const strategy = bearerStrategy({
      name: 'jwt',
      tokens: own,
      check: () => (isPresent ? { userId: 7 } : undefined),
    });
    expect(strategy.authenticate(request)).toEqual({ userId: 7 });
    isPresent = false;
    expect(strategy.authenticate(request)).toBeUndefined();
    isPresent = true;
    expect(strategy.authenticate(request)).toEqual({ userId: 7 });
    own.useKeys([secretKey(ofKey('another secret').secret)]);
    expect(strategy.authenticate(request)).toBeUndefined();
  });

  it('does not remember a long header: one token has any number of them, with more spaces each', () => {
    const strategy = bearerStrategy({ name: 'jwt', tokens, check: ({ sub }) => ({ userId: sub }) });
    const remember = vi.spyOn(BoundedCache.prototype, 'set');
    const long = `Bearer${' '.repeat(1024)}${token}`;
    expect(strategy.authenticate(requestWith(long))).toEqual({ userId: 7 });
    expect(remember).not.toHaveBeenCalledWith(long, token);
    expect(strategy.authenticate(requestWith(`bearer ${token}`))).toEqual({ userId: 7 });
    expect(remember).toHaveBeenCalledWith(`bearer ${token}`, token);
    remember.mockRestore();
  });
});
