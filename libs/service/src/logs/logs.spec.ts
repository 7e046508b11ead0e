import { pino } from 'pino';
import type { ErrorFields } from './error-fields';
import { makeLog } from './open-logs';

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2lnbmF0dXJl';

interface Line {
  readonly [field: string]: unknown;
  readonly time: string;
  readonly err: ErrorFields;
  readonly a: { readonly b: Record<string, unknown> };
}

function logged(say: (log: pino.Logger) => void): Line {
  const lines: string[] = [];
  say(makeLog('api', 'trace', { write: (line) => lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]);
}

describe('a log line', () => {
  it('is JSON with the program, the level as a name and the time in UTC', () => {
    const line = logged((log) => log.info('started'));
    expect(line).toMatchObject({ name: 'api', level: 'info', msg: 'started' });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    'authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'password',
    'token',
    'secret',
    'access_token',
  ])('redacts the field %s, two objects deep', (field) => {
    const line = logged((log) =>
      log.info({ [field]: 'hunter2', a: { [field]: 'hunter2', b: { [field]: 'hunter2' } } }),
    );
    expect(JSON.stringify(line)).not.toContain('hunter2');
    expect(line.a.b[field]).toBe('[hidden]');
  });

  it('has the type, message, code, stack and causes of an error', () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'E_INNER' });
    const { err } = logged((log) => log.error(new Error('outer', { cause })));
    expect(err).toMatchObject({
      type: 'Error',
      message: 'outer',
      cause: { type: 'TypeError', code: 'E_INNER' },
    });
    expect(err.stack).toContain('logs.spec.ts');
  });

  it('has no other property of an error', () => {
    const error = Object.assign(new Error('no'), { parameters: ['hunter2'], request: { body: 'hunter2' } });
    expect(JSON.stringify(logged((log) => log.error({ err: error })))).not.toContain('hunter2');
  });

  it('is finite when an error is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(logged((log) => log.error(error)).err.cause?.message).toBe('round');
  });

  it.each([
    ['a token', `sent Bearer ${token}`, token],
    ['credentials in lower case', 'sent bearer hunter2', 'hunter2'],
    ['a bare token', `verifying ${token} failed`, token],
    ['a URL with a password', 'connect postgres://me:hunter2@host/db', 'hunter2'],
    ['a password hash', 'bad $argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', 'aGFzaA'],
  ])('redacts %s in an error', (_, message, secret) => {
    expect(JSON.stringify(logged((log) => log.error(new Error(message))))).not.toContain(secret);
  });

  it('redacts the piece of a body that JSON.parse quotes', () => {
    const refused = thrownBy(() => JSON.parse('hunter2'));
    expect(String(refused)).toContain('hunter2');
    expect(JSON.stringify(logged((log) => log.error(refused)))).not.toContain('hunter2');
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
