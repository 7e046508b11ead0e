import * as fc from 'fast-check';
import { StoreUnavailableError, UnstorableTextError } from '@app/persistence';
import { ValueConflictError } from '../errors/errors';
import { replyOf } from './error-reply';
import { replyTo } from '../http/framework-errors';
import { render } from './render';

const list = { ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' } as const;
const details = { ERROR_SHAPE: 'details', ERROR_MESSAGES: 'on' } as const;

describe('an error reply', () => {
  it('has its keys in the order of the specification', () => {
    expect(render({ status: 404, message: 'gone' }, list).body).toBe(
      '{"statusCode":404,"message":"gone","error":"Not Found"}',
    );
    expect(render(undefined, list, { id: 'r-1' }).body).toBe(
      '{"statusCode":500,"message":"Internal server error","error":"Internal Server Error","requestId":"r-1"}',
    );
  });

  it.each([list, details, { ...details, ERROR_MESSAGES: 'off' } as const])(
    'with 401 is always the same, in %o',
    (form) => {
      const { body, headers } = render(
        { status: 401, message: ['expired'], headers: { 'WWW-Authenticate': 'Basic' } },
        form,
      );
      expect(body).toBe('{"statusCode":401,"message":"Unauthorized"}');
      expect(headers['www-authenticate']).toBe('Bearer');
    },
  );

  it('with 503 or 429 always has Retry-After', () => {
    expect(render({ status: 503, message: 'down' }, list).headers['retry-after']).toBe('5');
    const headers = { 'Retry-After': '60' };
    expect(render({ status: 429, message: 'slow', headers }, list).headers['retry-after']).toBe('60');
  });

  it('keeps its message when only validation messages are off', () => {
    const { body } = render(
      { status: 409, message: 'taken' },
      { ERROR_SHAPE: 'details', ERROR_MESSAGES: 'off' },
    );
    expect(JSON.parse(body)).toEqual({ statusCode: 409, message: 'taken', error: 'Conflict' });
  });

  it('stays small and well-formed, whatever its messages', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2000, size: 'max' });
    const problem = fc.record({ field: text, messages: fc.array(text, { maxLength: 3 }) });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 100, size: 'max' }),
        fc.array(problem, { maxLength: 60 }),
        (message, all) => {
          for (const form of [list, details]) {
            const { body } = render({ status: 400, message, details: all }, form);
            expect(body.length).toBeLessThan(320_000);
            expect(body).not.toMatch(/\\ud[89a-f]/);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is derived from the errors of every library, and from nothing else', () => {
    const error = new ValueConflictError('slug');
    expect(replyOf(error)).toBe(error.reply);
    expect(replyOf(new StoreUnavailableError('disk full'))).toMatchObject({ status: 503 });
    expect(replyOf(new UnstorableTextError())).toMatchObject({ status: 400 });
    const { reply } = error;
    for (const thrown of [
      undefined,
      null,
      'text',
      {},
      { reply },
      Object.assign(new Error('no'), { reply }),
    ]) {
      expect(replyOf(thrown)).toBeUndefined();
    }
  });

  it('to an unknown framework error has its status and nothing else', () => {
    const error = Object.assign(new Error('a piece of the body'), { code: 'FST_ERR_NEW', statusCode: 422 });
    expect(replyTo(error)).toEqual({ status: 422, message: 'Unprocessable Entity' });
    expect(replyTo(Object.assign(error, { statusCode: 500 }))).toBeUndefined();
    expect(replyTo(new Error('else'))).toBeUndefined();
  });
});
