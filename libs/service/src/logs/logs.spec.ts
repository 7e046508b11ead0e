import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { ErrorFields } from './error-fields';
import { makeLog, openLogs } from './open-logs';

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2lnbmF0dXJl';

const apiKey = `sluice_${'Ab3-_'.repeat(9)}xyzw`;
const randomText = 'q8VbP0w1Jk4mT2sXh7Yc9R-q8VbP0w1Jk4mT2';
const hostile = '\u001b[2J\u001b]0;owned\u0007\r\b\u007f\u009b31m\u0085\u2028\u202egpj.exe\u2066\u061c\u200f';

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

describe.runIf(process.platform === 'linux')('a log that cannot be written', () => {
  it('says so once on standard error', async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const logs = await openLogs('api', 'info', { file: '/dev/full' });
    logs.log.info('lost');
    // Node's warnings are written there as well.
    const lines = () =>
      stderr.mock.calls.map(([line]) => String(line)).filter((line) => line.startsWith('sluice'));
    await vi.waitFor(() => expect(lines()).toHaveLength(1));
    logs.log.info('lost, too');
    await logs.flush(100);
    const written = lines();
    stderr.mockRestore();
    expect(written).toEqual([expect.stringMatching(/^sluice api: .* log lines are lost\n$/)]);
  });
});

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

  it.each([
    ['a token', `\n${token}`, token],
    ['credentials', '\tBearer hunter2', 'hunter2'],
    ['an API key', `\n${apiKey}`, apiKey],
    ['random bytes', `\u0001${randomText}`, randomText],
  ])('redacts %s behind an escape of JSON', (_, message, secret) => {
    const line = logged((log) => log.error(message));
    expect(JSON.stringify(line)).not.toContain(secret);
    expect(line.msg).toMatch(/^\p{Cc}(?:\[hidden \w+\]|Bearer \[hidden\])$/u);
  });

  it('keeps ids, times and names', () => {
    const fields = {
      requestId: randomUUID(),
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      at: new Date().toISOString(),
      name: 'ForeignKeyViolationError2',
      slug: 'the-10-longest-slugs-of-all-posts-that-were-written',
    };
    expect(logged((log) => log.info({ fields }))).toMatchObject({ fields });
  });

  it('has control characters and those that set the direction of text escaped', () => {
    const lines: string[] = [];
    const log = makeLog('api', 'trace', { write: (line) => lines.push(line) });
    log.warn({ origin: hostile }, hostile);
    expect(lines[0].slice(0, -1)).toMatch(
      /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u,
    );
    expect(JSON.parse(lines[0])).toMatchObject({ origin: hostile, msg: hostile });
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
