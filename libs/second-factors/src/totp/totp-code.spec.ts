import { makeTotpSecret, stepOfCode, totpUri } from './totp-code';

/** `12345678901234567890`, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

describe('a TOTP code', () => {
  it.each([
    [59, '94287082', 1],
    [1_111_111_109, '07081804', 37_037_036],
    [1_111_111_111, '14050471', 37_037_037],
    [1_234_567_890, '89005924', 41_152_263],
    [2_000_000_000, '69279037', 66_666_666],
    [20_000_000_000, '65353130', 666_666_666],
  ])('is that of RFC 6238 at %i s, with its last six digits', (seconds, digits, step) => {
    expect(stepOfCode(secret, digits.slice(-6), at(seconds))).toBe(step);
  });

  it('is accepted one step before and after its own, and no further', () => {
    const step = 37_037_036;
    const steps = [-31, -30, -1, 0, 29, 30, 59, 60].map((second) =>
      stepOfCode(secret, '081804', at(step * 30 + second)),
    );
    expect(steps).toEqual([undefined, step, step, step, step, step, step, undefined]);
  });

  it('is that of its secret', () => {
    expect(stepOfCode(makeTotpSecret(), '287082', at(59))).toBeUndefined();
  });
});

describe('a TOTP secret', () => {
  it('has 160 random bits', () => {
    const secrets = new Set(Array.from({ length: 100 }, makeTotpSecret));
    expect(secrets.size).toBe(100);
    for (const newSecret of secrets) expect(newSecret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('is scanned as a URI with the names of service and account', () => {
    const uri = new URL(totpUri(secret, 'ada+1@example.com', 'Ada & Co?'));
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Ada & Co?:ada+1@example.com',
    ]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({ secret, issuer: 'Ada & Co?' });
  });
});
