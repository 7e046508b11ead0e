import { isNativeError } from 'node:util/types';
import { HttpError } from './http-error';
import { httpError, retryParams } from './http-error-class';
import { jsonPointer } from './input-problem';
import { problemOfStatus, problemType } from './problem-type';

const BusyError = httpError('BusyError', 429, 'busy', {
  title: 'Busy',
  remedy: 'Wait.',
  params: retryParams,
  reply: (waitMs: number) => ({ message: 'too many', waitMs }),
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

describe('a class of the catalogue', () => {
  const ValueConflictError = httpError('ValueConflictError', 409, 'value-conflict', {
    title: 'Taken',
    remedy: 'Send another.',
    reply: (field: string, options?: ErrorOptions) => ({
      message: `${field} is taken`,
      log: `another has this ${field}`,
      members: [[field, 'x']],
      params: { field },
      ...options,
    }),
  });
  const OverError = httpError('OverError', 410, 'over', {
    title: 'Over',
    remedy: 'None.',
    log: 'It is over.',
    reply: 'it is over',
  });

  it('is an HttpError with its own name, and no other class', () => {
    const error = new OverError();
    expect([error.name, error.constructor.name, error.message]).toEqual([
      'OverError',
      'OverError',
      'It is over.',
    ]);
    expect([
      error instanceof OverError,
      error instanceof HttpError,
      error instanceof ValueConflictError,
    ]).toEqual([true, true, false]);
    expect(traceOf(error)).toEqual([]);
    expect(error.reply).toEqual({ status: 410, message: 'it is over', problem: OverError.problem });
    expect(Object.hasOwn(error, 'cause')).toBe(false);
  });

  it('makes the reply from its arguments, and keeps the cause', () => {
    const cause = new Error('why');
    const error = new ValueConflictError('e-mail', { cause });
    expect(error).toMatchObject({ message: 'another has this e-mail', cause });
    expect(error.reply).toMatchObject({
      status: 409,
      message: 'e-mail is taken',
      params: { field: 'e-mail' },
    });
    expect(error.reply.inputProblems?.()).toEqual({
      listed: [
        {
          in: 'body',
          pointer: '/e-mail/x',
          code: 'value-conflict',
          params: { field: 'e-mail' },
          detail: 'e-mail is taken',
        },
      ],
      omitted: 0,
    });
  });

  it('has the types of its arguments', () => {
    // @ts-expect-error it has none
    expect(new OverError(1)).toBeInstanceOf(OverError);
    // @ts-expect-error its field is a text
    expect(new ValueConflictError(1)).toBeInstanceOf(ValueConflictError);
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
    expect(new BusyError(waitMs).reply).toEqual({
      status: 429,
      message: 'too many',
      headers: { 'Retry-After': seconds },
      problem: BusyError.problem,
      params: { retryAfterSeconds: Number(seconds) },
    });
  });
});

describe('a kind of error', () => {
  it.each(['', 'Taken', 'e_mail', '-taken', 'taken-', '../x'])('cannot have the code %j', (code) => {
    expect(() => problemType({ ...BusyError.problem, code })).toThrow(TypeError);
  });

  it('cannot have the status of a success', () => {
    expect(() => problemType({ ...BusyError.problem, status: 200 })).toThrow(TypeError);
  });

  it('of which only the status is known has the code of the status', () => {
    expect(problemOfStatus(410)).toMatchObject({ code: 'gone', status: 410, title: 'Gone' });
    expect(problemOfStatus(418)).toMatchObject({ code: 'i-m-a-teapot' });
    expect(problemOfStatus(599)).toMatchObject({ code: 'error', status: 599 });
    expect(problemOfStatus(410)).toBe(problemOfStatus(410));
  });

  it.each([
    [499, /^Correct the request/],
    [500, /^Try again later/],
  ])('of which only the status %i is known says what to do', (status, remedy) => {
    expect(problemOfStatus(status).remedy).toMatch(remedy);
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
    expect(jsonPointer(['k'.repeat(499)])).toHaveLength(500);
    expect(jsonPointer(['k'.repeat(500)])).toBe('');
  });
});
