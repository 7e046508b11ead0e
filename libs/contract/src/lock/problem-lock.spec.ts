import { problemType } from '@app/http-errors';
import { addToProblemLock, brokenCodes, problemLockOf } from './problem-lock';

const busy = problemType({
  code: 'busy',
  status: 503,
  title: 'Busy',
  remedy: 'Wait.',
  params: { retryAfterSeconds: 'integer' },
});
const taken = problemType({ code: 'taken', status: 409, title: 'Taken', remedy: 'Choose another.' });
const locked = problemLockOf([taken, busy], { minLength: { min: 'number' }, isEmail: {} });

describe('the lock of codes', () => {
  it('has status and facts of every code, ordered', () => {
    expect(JSON.stringify(locked)).toBe(
      '{"problems":{"busy":{"status":503,"params":["retryAfterSeconds"]},"taken":{"status":409,"params":[]}},' +
        '"rules":{"isEmail":[],"minLength":["min"]}}',
    );
  });

  it('reports nothing while codes are added only', () => {
    const gone = problemType({ code: 'gone', status: 410, title: 'Gone', remedy: 'Forget it.' });
    const now = problemLockOf([taken, busy, gone], { minLength: { min: 'number' }, isEmail: {}, isInt: {} });
    expect(brokenCodes(locked, now)).toEqual([]);
    expect(addToProblemLock(locked, now)).toEqual(now);
  });

  it('reports codes, statuses and facts that clients depend on, and keeps them', () => {
    const now = problemLockOf([{ ...busy, status: 429, params: {} }], { minLength: {} });
    expect(brokenCodes(locked, now)).toEqual([
      'busy has the status 429; it was 503',
      'busy no longer has params.retryAfterSeconds',
      'the code taken is gone',
      'the rule isEmail is gone',
      'minLength no longer has params.min',
    ]);
    expect(addToProblemLock(locked, now)).toEqual(locked);
  });
});
