import { isNativeError } from 'node:util/types';
import { HttpError, retryLater } from './http-error';

class Gone extends HttpError {
  override readonly name = 'Gone';
  readonly reply = { status: 410, message: 'it is gone' };
}

function traceOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

describe('an HttpError', () => {
  it('is an Error', () => {
    const cause = new Error('why');
    const error = new Gone('It is gone.', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(isNativeError(error)).toBe(true);
    expect(error).toMatchObject({ name: 'Gone', message: 'It is gone.', cause });
    expect(String(error)).toBe('Gone: It is gone.');
  });

  it('has no stack trace; its cause keeps its own', () => {
    const error = new Gone('It is gone.', { cause: new Error('why') });
    expect(traceOf(error)).toEqual([]);
    expect(error.stack).toContain('It is gone.');
    expect(traceOf(error.cause as Error)).not.toEqual([]);
  });

  it('does not affect the stack traces of other errors', () => {
    const limit = Error.stackTraceLimit;
    void new Gone('It is gone.');
    expect(Error.stackTraceLimit).toBe(limit);
    expect(traceOf(new Error('else'))).not.toEqual([]);
  });

  it('does not affect them if its constructor throws', () => {
    const limit = Error.stackTraceLimit;
    const options = {
      get cause(): unknown {
        throw new TypeError('no cause');
      },
    };
    expect(() => new Gone('It is gone.', options)).toThrow('no cause');
    expect(Error.stackTraceLimit).toBe(limit);
  });
});

describe('the reply that says when to try again', () => {
  it.each([
    [-1, '1'],
    [0, '1'],
    [1000, '1'],
    [1001, '2'],
    [59_001, '60'],
  ])('%i ms: Retry-After: %s', (waitMs, seconds) => {
    expect(retryLater(429, 'too many', waitMs)).toEqual({
      status: 429,
      message: 'too many',
      headers: { 'Retry-After': seconds },
    });
  });
});
