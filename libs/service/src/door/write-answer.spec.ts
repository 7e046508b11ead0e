import * as fc from 'fast-check';
import { answerIn } from './answer';
import { answerTo } from './framework-errors';
import { writeAnswer, writeUnexpected } from './write-answer';

const list = { ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' } as const;
const details = { ERROR_SHAPE: 'details', ERROR_MESSAGES: 'on' } as const;

describe('an answer about an error', () => {
  it('has its keys in the order of the specification', () => {
    expect(writeAnswer({ status: 404, message: 'gone' }, list).body).toBe(
      '{"statusCode":404,"message":"gone","error":"Not Found"}',
    );
    expect(writeUnexpected('r-1').body).toBe(
      '{"statusCode":500,"message":"Internal server error","error":"Internal Server Error","requestId":"r-1"}',
    );
  });

  it.each([list, details, { ...details, ERROR_MESSAGES: 'off' } as const])(
    'with 401 is always the same, in %o',
    (form) => {
      const { body, headers } = writeAnswer(
        { status: 401, message: ['expired'], headers: { 'WWW-Authenticate': 'Basic' } },
        form,
      );
      expect(body).toBe('{"statusCode":401,"message":"Unauthorized"}');
      expect(headers['www-authenticate']).toBe('Bearer');
    },
  );

  it('with 503 or 429 always says when to try again', () => {
    expect(writeAnswer({ status: 503, message: 'away' }, list).headers['retry-after']).toBe('5');
    const headers = { 'Retry-After': '60' };
    expect(writeAnswer({ status: 429, message: 'slow', headers }, list).headers['retry-after']).toBe('60');
  });

  it('keeps its message when only messages about rules are off', () => {
    const { body } = writeAnswer(
      { status: 409, message: 'taken' },
      { ERROR_SHAPE: 'details', ERROR_MESSAGES: 'off' },
    );
    expect(JSON.parse(body)).toEqual({ statusCode: 409, message: 'taken', error: 'Conflict' });
  });

  it('stays small, and well-formed, whatever stands in it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2000, size: 'max' });
    const problem = fc.record({ field: text, messages: fc.array(text, { maxLength: 3 }) });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 100, size: 'max' }),
        fc.array(problem, { maxLength: 60 }),
        (message, all) => {
          for (const form of [list, details]) {
            const { body } = writeAnswer({ status: 400, message, details: all }, form);
            expect(body.length).toBeLessThan(320_000);
            expect(body).not.toMatch(/\\ud[89a-f]/);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is found in errors of every library, and in nothing else', () => {
    const answer = { status: 409, message: 'taken' };
    expect(answerIn({ answer })).toBe(answer);
    for (const other of [
      undefined,
      null,
      'text',
      {},
      { answer: null },
      { answer: { status: 200, message: 'fine' } },
    ]) {
      expect(answerIn(other)).toBeUndefined();
    }
  });

  it('to an error of the framework that we do not know tells its status and nothing else', () => {
    const error = Object.assign(new Error('a piece of the body'), { code: 'FST_ERR_NEW', statusCode: 422 });
    expect(answerTo(error)).toEqual({ status: 422, message: 'Unprocessable Entity' });
    expect(answerTo(Object.assign(error, { statusCode: 500 }))).toBeUndefined();
    expect(answerTo(new Error('else'))).toBeUndefined();
  });
});
