import type { AccountRow } from '../account/account.table';
import { type FactorResult, SignInFactors } from './sign-in-factors';

const account = { id: 1 } as AccountRow;
const origin = { ip: '192.0.2.1' };

describe('the factors of a sign-in', () => {
  const asked: string[] = [];
  const factor = (kind: string, result: FactorResult) => ({
    kind,
    check: async () => {
      asked.push(kind);
      return result;
    },
  });
  beforeEach(() => void asked.splice(0));

  it('are verified in order, after the password, each at its time', async () => {
    const factors = new SignInFactors([factor('code', 'verified'), factor('key', 'verified')]);
    const verified = (await factors.verify(account, origin)) ?? [];
    expect(verified.map(({ kind }) => kind)).toEqual(['password', 'code', 'key']);
    const times = verified.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('are omitted where the account does not use them', async () => {
    const factors = new SignInFactors([factor('code', 'not-required')]);
    expect(await factors.verify(account, origin)).toMatchObject([{ kind: 'password' }]);
  });

  it('are not asked after one that refuses', async () => {
    const factors = new SignInFactors([factor('code', 'rejected'), factor('key', 'verified')]);
    expect(await factors.verify(account, origin)).toBeUndefined();
    expect(asked).toEqual(['code']);
  });

  it('have one kind each', () => {
    for (const kinds of [['code', 'code'], ['password']])
      expect(() => new SignInFactors(kinds.map((kind) => factor(kind, 'verified')))).toThrow('another kind');
  });
});
