import { forgeToken } from '../../testing';
import { AccessTokens } from './access-tokens';
import { ageOf, machineClock, makeTokenId } from './token-age';

const SECRET = 'the secret of these tests, of 32 bytes and more';
const WHO = { sub: 7, username: 'ada@example.com' };
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600;

describe('an access token when the system clock is set', () => {
  let elapsed: number;
  const monotonicClock = { name: 'here', seconds: () => elapsed };
  const tokens = () => new AccessTokens({ secret: SECRET, ttlSeconds: 60, monotonicClock });
  beforeEach(() => {
    elapsed = 1_000;
  });

  it('back is rejected after its age, although not expired by date', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    elapsed += HOUR;
    expect(here.verify(token, NOW + HOUR * 1000)).toBeUndefined();
    expect(here.verify(token, NOW)).toBeUndefined();
    elapsed += 30;
    expect(here.verify(token, NOW + 30_000)).toBeUndefined();
  });

  it('back is rejected, although the clock was not read while it was ahead', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    elapsed += HOUR;
    expect(here.verify(token, NOW)).toBeUndefined();
  });

  it('back is rejected until the clock has caught up', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    elapsed += 30;
    expect(here.verify(token, NOW + 30_000 - HOUR * 1000)).toBeUndefined();
    elapsed += HOUR;
    expect(here.verify(token, NOW + 30_000)).toBeUndefined();
  });

  it('back is accepted when it was issued after that', () => {
    const here = tokens();
    here.sign(WHO, NOW + HOUR * 1000);
    const token = here.sign(WHO, NOW);
    elapsed += 59;
    expect(here.verify(token, NOW + 59_000)).toBeDefined();
    elapsed += 1;
    expect(here.verify(token, NOW + 60_000)).toBeUndefined();
  });

  it('ahead is rejected', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    expect(here.verify(token, NOW + HOUR * 1000)).toBeUndefined();
  });

  it('back is checked by dates alone when it comes from another machine', () => {
    const here = tokens();
    here.sign(WHO, NOW + HOUR * 1000);
    const payload = { ...WHO, iat: NOW / 1000, exp: NOW / 1000 + 60 };
    for (const jti of [undefined, '', 'here', 'here.', 'here.rs', 'here..a', 'there.a.b', 'a.b.c.d'])
      expect([jti, here.verify(forgeToken({ payload: { ...payload, jti }, secret: SECRET }), NOW)]).toEqual([
        jti,
        expect.any(Object),
      ]);
  });
});

describe('the jti of a token', () => {
  it('reveals its age on the machine that issued it, in seconds', () => {
    const age = ageOf(makeTokenId(machineClock), machineClock);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(2);
  });

  it('reveals nothing elsewhere, and not the uptime', () => {
    const name = makeTokenId(machineClock);
    expect(ageOf(name, { ...machineClock, name: 'there' })).toBeUndefined();
    expect(Math.abs(machineClock.seconds() - process.hrtime()[0])).toBeGreaterThan(2);
  });
});
