import { isNativeError } from 'node:util/types';
import { HttpError, retryLater, retryParams } from './http-error';
import { jsonPointer } from './input-problem';
import { problemOfStatus, problemType } from './problem-type';

const busy = problemType({
  code: 'busy',
  status: 429,
  title: 'Busy',
  remedy: 'Wait.',
  params: retryParams,
});

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
    expect(retryLater(busy, 'too many', waitMs)).toEqual({
      status: 429,
      message: 'too many',
      headers: { 'Retry-After': seconds },
      problem: busy,
      params: { retryAfterSeconds: Number(seconds) },
    });
  });
});

describe('a kind of error', () => {
  it.each(['', 'Taken', 'e_mail', '-taken', 'taken-', '../x'])('cannot have the code %j', (code) => {
    expect(() => problemType({ ...busy, code })).toThrow(TypeError);
  });

  it('cannot have the status of a success', () => {
    expect(() => problemType({ ...busy, status: 200 })).toThrow(TypeError);
  });

  it('of which only the status is known has the code of the status', () => {
    expect(problemOfStatus(410)).toMatchObject({ code: 'gone', status: 410, title: 'Gone' });
    expect(problemOfStatus(418)).toMatchObject({ code: 'i-m-a-teapot' });
    expect(problemOfStatus(599)).toMatchObject({ code: 'error', status: 599 });
    expect(problemOfStatus(410)).toBe(problemOfStatus(410));
  });
});

describe('a JSON Pointer', () => {
  it.each([
    [[], ''],
    [['items', 0, 'quantity'], '/items/0/quantity'],
    [['a/b', 'm~n', ''], '/a~1b/m~0n/'],
  ])('of %j is %j', (path, pointer) => {
    expect(jsonPointer(path)).toBe(pointer);
  });

  it('that would be long names the nearest enclosing value', () => {
    expect(jsonPointer(['items', 'k'.repeat(600), 'x'])).toBe('/items');
  });
});
