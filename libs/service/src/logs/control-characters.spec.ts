import { Writable } from 'node:stream';
import type { PrettyOptions } from 'pino-pretty';
import { startFailure } from '../program/start-failure';
import { escapeControls, printable } from './control-characters';
import { openLogs } from './open-logs';

const { shown } = vi.hoisted(() => ({ shown: [] as string[] }));
vi.mock('pino-pretty', async (load) => {
  const { default: pretty } = await load<{ default: (options: PrettyOptions) => unknown }>();
  const destination = new Writable({
    write: (text: Buffer, _encoding, done) => {
      shown.push(text.toString());
      done();
    },
  });
  return { default: (options: PrettyOptions) => pretty({ ...options, colorize: true, destination }) };
});

const hostile = '\u001b[2J\u001b]0;owned\u0007\r\b\u007f\u009b31m\u0085\u2028\u202egpj.exe\u2066\u061c\u200f';
const obeyed = /[^\n\P{Cc}]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe('a line in a terminal', () => {
  let text: string;
  beforeAll(async () => {
    const { log, write } = await openLogs('api', 'trace', { isTerminal: true });
    log.warn({ path: `/${hostile}\nforged` }, `${hostile}\nforged`);
    log.error(new Error(`no ${hostile}`));
    write(`${JSON.stringify({ level: 'warn', msg: `a worker ${hostile}` })}\n`);
    write(`${hostile.replaceAll('\n', '')} is no JSON\n`);
    text = shown.join('').replaceAll(/\p{Cc}\[\d+m/gu, '');
  });

  it('has nothing that a terminal obeys but its colors', () => {
    expect(text).not.toMatch(obeyed);
    expect(text.split(String.raw`\u001b[2J`).length).toBeGreaterThanOrEqual(5);
  });

  it('cannot be begun by a text, and a stack has its lines', () => {
    expect(text).toContain(String.raw`\nforged`);
    expect(text).not.toMatch(/^forged/m);
    expect(text).toMatch(/^ +at .*control-characters\.spec\.ts/m);
  });
});

describe('a text for a terminal', () => {
  it('is what it was, or has its control characters escaped', () => {
    expect(printable('Grüße, 山田 👩‍💻')).toBe('Grüße, 山田 👩‍💻');
    expect(printable(hostile)).not.toMatch(obeyed);
    expect(printable(hostile)).toContain(String.raw`\u001b[2J`);
  });

  it('is that of a failed start', () => {
    expect(startFailure('api', new Error(hostile)).join('')).not.toMatch(obeyed);
  });
});

describe('a line of JSON', () => {
  it('says the same, and has nothing that a terminal obeys', () => {
    const line = JSON.stringify({ msg: hostile });
    expect(escapeControls(line)).not.toMatch(obeyed);
    expect(JSON.parse(escapeControls(line))).toEqual({ msg: hostile });
  });
});
