import type { LoggerService } from '@nestjs/common';
import type { Log } from './open-logs';

/** The contexts that Nest logs under at every start. Their lines are logged at `debug`. */
const startupContexts = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);
/** The contexts under which Nest repeats the error of a failed start. `runProgram` already reports the error. */
const startFailureContexts = new Set(['ExceptionHandler', 'NestApplication']);

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/**
 * Writes everything that is logged through Nest's `Logger` to the program's log. An `Error` becomes `err`, an object becomes
 * fields, and the last string becomes `context`.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly to: Log) {}

  log(message: unknown, ...more: unknown[]): void {
    this.write(startupContexts.has(String(more.at(-1))) ? 'debug' : 'info', message, more);
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.write(startFailureContexts.has(String(more.at(-1))) ? 'debug' : 'error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.write('trace', message, more);
  }

  private write(level: Level, message: unknown, more: readonly unknown[]): void {
    if (!this.to.isLevelEnabled(level)) return;
    const last = more.at(-1);
    const context = typeof last === 'string' && !isStack(last) ? { context: last } : {};
    const stack = more.find(isStack);
    const fields = {
      ...context,
      ...(stack === undefined ? {} : { stack }),
      ...fieldsOf(more.find((value) => value instanceof Error)),
      ...fieldsOf(message),
    };
    if (typeof message === 'string') this.to[level](fields, message);
    else this.to[level](fields);
  }
}

function isStack(text: unknown): text is string {
  return typeof text === 'string' && /\n\s+at /.test(text);
}

function fieldsOf(message: unknown): object {
  if (message instanceof Error) return { err: message };
  return typeof message === 'object' && message !== null ? message : {};
}
