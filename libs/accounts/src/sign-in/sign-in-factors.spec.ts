import {
  amrOf,
  type FactorRole,
  factorClaims,
  type SignInFactor,
  type VerifiedFactor,
  type VerifiedFactors,
} from './sign-in-factor';
import { SignInFactors } from './sign-in-factors';

const at = new Date(0);
const password: VerifiedFactor = { kind: 'password', amr: ['pwd'], at };
const code: VerifiedFactor = { kind: 'code', amr: ['otp'], at };
const key: VerifiedFactor = { kind: 'key', amr: ['hwk', 'mfa'], at };

const factor = (kind: string, role: FactorRole, isEnrolled = true): SignInFactor => ({
  kind,
  title: kind,
  role,
  list: async () => (isEnrolled ? [{ id: kind, kind, name: null, createdAt: null, remaining: null }] : []),
});

const pending = async (factors: SignInFactors, verified: VerifiedFactors) =>
  factors.pendingOf(await factors.enrolledOf(1), verified);

describe('the factors of a sign-in', () => {
  const all = (hasCode = true) =>
    new SignInFactors([
      factor('password', 'first'),
      factor('code', 'second', hasCode),
      factor('key', 'second'),
      factor('paper', 'backup'),
    ]);

  it('require one more of those that the account has enrolled, or what is accepted in its place', async () => {
    expect(await pending(all(), [password])).toEqual(['code', 'key', 'paper']);
    expect(await pending(all(false), [password])).toEqual(['key', 'paper']);
  });

  it('require no other one after two, in any order, nor after one that is of two by itself', async () => {
    expect(await pending(all(), [password, code])).toEqual([]);
    expect(await pending(all(), [code, password])).toEqual([]);
    expect(await pending(all(), [key])).toEqual([]);
  });

  it('require another one than the first', async () => {
    expect(await pending(all(), [code])).toEqual(['key', 'paper']);
  });

  it('require none in place of nothing', async () => {
    const factors = new SignInFactors([factor('password', 'first'), factor('paper', 'backup')]);
    expect(await pending(factors, [password])).toEqual([]);
  });

  it('have one kind each', () => {
    expect(() => new SignInFactors([factor('code', 'second'), factor('code', 'second')])).toThrow(
      'another kind',
    );
  });

  it('are in the claims of tokens', () => {
    expect(factorClaims(amrOf([password]))).toEqual({ amr: ['pwd'], acr: 'aal1' });
    expect(factorClaims(amrOf([password, code]))).toEqual({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
    expect(factorClaims(amrOf([key]))).toEqual({ amr: ['hwk', 'mfa'], acr: 'aal2' });
  });
});
