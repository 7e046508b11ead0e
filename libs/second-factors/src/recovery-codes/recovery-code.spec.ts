import { makeRecoveryCodes, recoveryCodeHash } from './recovery-code';

describe('recovery codes', () => {
  it('are ten, of 24 letters and digits each that are not mistaken for others', () => {
    const codes = makeRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/);
  });

  it('are compared without case, spaces and dashes, and with o as 0, i and l as 1', () => {
    const hash = recoveryCodeHash(1, '01abcd-01abcd-01abcd-01abcd');
    for (const typed of ['OIABCD olabcd 0iabcd-01abcd', '01abcd01abcd01abcd01abcd'])
      expect(recoveryCodeHash(1, typed)).toBe(hash);
    expect(recoveryCodeHash(1, '01abcd-01abcd-01abcd-01abce')).not.toBe(hash);
  });

  it('have another hash for each account', () => {
    expect(recoveryCodeHash(1, 'abc')).not.toBe(recoveryCodeHash(2, 'abc'));
  });
});
