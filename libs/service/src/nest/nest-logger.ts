import type { LoggerService } from '@nestjs/common';
import type { Log } from '../logs/open-logs';

/** Who in the framework tells at every start what it does; of interest to those who debug it. */
const bootTellers = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);
/** They repeat an error that ends the start, which is then told once, by us. */
const startFailureTellers = new Set(['ExceptionHandler', 'NestApplication']);

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/**
 * Writes to a program's log what the framework and our own code say through Nest's `Logger`. An `Error` becomes
 * the line's `err`, an object its fields, the last text its context.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly to: Log) {}

  log(message: unknown, ...more: unknown[]): void {
    this.write(bootTellers.has(String(more.at(-1))) ? 'debug' : 'info', message, more);
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.write(startFailureTellers.has(String(more.at(-1))) ? 'debug' : 'error', message, more);
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
