import { forgeToken } from '../../testing';
import { AccessTokens } from './access-tokens';
import { ageOf, machineClock, makeTokenName } from './token-age';

const SECRET = 'the secret of these tests, of 32 bytes and more';
const WHO = { sub: 7, username: 'ada@example.com' };
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600;

describe('an access token when the clock is set', () => {
  let counted: number;
  const steadyClock = { name: 'here', seconds: () => counted };
  const tokens = () => new AccessTokens({ secret: SECRET, ttlSeconds: 60, steadyClock });
  beforeEach(() => {
    counted = 1_000;
  });

  it('back is refused, though the clock passes the same minute again', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    counted += HOUR;
    expect(here.verify(token, NOW + HOUR * 1000)).toBeUndefined();
    expect(here.verify(token, NOW)).toBeUndefined();
    counted += 30;
    expect(here.verify(token, NOW + 30_000)).toBeUndefined();
  });

  it('back is refused, though nobody looked at the clock while that was ahead', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    counted += HOUR;
    expect(here.verify(token, NOW)).toBeUndefined();
  });

  it('back is refused for as long as the second passing takes', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    counted += 30;
    expect(here.verify(token, NOW + 30_000 - HOUR * 1000)).toBeUndefined();
    counted += HOUR;
    expect(here.verify(token, NOW + 30_000)).toBeUndefined();
  });

  it('back is taken when it was signed after that', () => {
    const here = tokens();
    here.sign(WHO, NOW + HOUR * 1000);
    const token = here.sign(WHO, NOW);
    counted += 59;
    expect(here.verify(token, NOW + 59_000)).toBeDefined();
    counted += 1;
    expect(here.verify(token, NOW + 60_000)).toBeUndefined();
  });

  it('ahead is refused', () => {
    const here = tokens();
    const token = here.sign(WHO, NOW);
    expect(here.verify(token, NOW + HOUR * 1000)).toBeUndefined();
  });

  it('back is told by its dates alone when it comes from elsewhere', () => {
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

describe('the name of a token', () => {
  it('tells its age on the machine that made it, to whole seconds', () => {
    const age = ageOf(makeTokenName(machineClock), machineClock);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(2);
  });

  it('tells nothing elsewhere, and not how long the machine is up', () => {
    const name = makeTokenName(machineClock);
    expect(ageOf(name, { ...machineClock, name: 'there' })).toBeUndefined();
    expect(Math.abs(machineClock.seconds() - process.hrtime()[0])).toBeGreaterThan(2);
  });
});
