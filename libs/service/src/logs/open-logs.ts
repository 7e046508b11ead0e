import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { logLevels } from './log-settings';
import { errorFields } from './error-fields';
import { escapeControls, forTerminal } from './control-characters';
import { type LogDestination, openLogDestination } from './log-destination';
import { traceFields } from './current-trace';
import { redact } from './redact';

/** A program's log. */
export type Log = Logger;

/** The ingress's log, for facts that are kept from callers. */
export type IngressLog = Record<'debug' | 'warn' | 'error', (fields: object, message: string) => void>;

/** The lowest level that is logged. */
export type LogLevel = (typeof logLevels)[number];

/** A log with the functions to flush and reopen it. */
export interface Logs {
  readonly log: Log;
  /** Resolves when all lines have been written to the operating system, or after the deadline. The default deadline is 1 s. */
  flush(deadlineMs?: number): Promise<void>;
  /** Reopens the log file, which may have been moved. Present only for a log in a file. */
  readonly reopen?: () => void;
}

/** A program's log that accepts lines from the program's other processes. */
export interface OpenLogs extends Logs {
  /** Writes lines that a different process of the program has formatted. */
  readonly write: (lines: string) => void;
}

const flushDeadlineMs = 1000;

/** The fields that are always redacted. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'access_token',
  'refresh_token',
  'token',
  'secret',
  '["x-api-key"]',
  '["set-cookie"]',
];

/**
 * Makes a log that writes a JSON object per line to a stream.
 *
 * @param name the application, which is a field in every line
 */
export function makeLog(
  name: string,
  level: LogLevel,
  stream: DestinationStream & Partial<LogDestination>,
): Log {
  const options: LoggerOptions = {
    base: { name, pid: process.pid },
    timestamp: isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const log = pino(
    {
      ...options,
      level,
      serializers: { err: errorFields },
      mixin: traceFields,
      redact: { paths: secretFields.flatMap(redactPaths), censor: '[hidden]' },
      hooks: { streamWrite: (line) => escapeControls(redact(line)) },
    },
    stream,
  );
  accessLogs.set(
    log,
    pino(
      { ...options, level: 'trace', serializers: callerTexts, hooks: { streamWrite: escapeControls } },
      { write: stream.batch ?? ((line) => stream.write(line)) },
    ),
  );
  return log;
}

let formattedMs = Number.NaN;
let formattedTime = '';

/** Formats a date once for all requests completed in the same millisecond. Formatting takes a quarter of the time for a line. */
function isoTime(): string {
  const now = Date.now();
  if (now === formattedMs) return formattedTime;
  formattedMs = now;
  formattedTime = `,"time":"${new Date(now).toISOString()}"`;
  return formattedTime;
}

/**
 * The serializers for untrusted texts in a completed request's line. Only these texts are redacted, because the program knows the
 * remaining fields and redacting the whole line takes 20 µs.
 */
const callerTexts = {
  requestId: (id: string) => (/^[\w.-]+$/.test(id) ? id : redact(id)),
  clientRequestId: redact,
  address: (address: string) => (/^[\d.a-f:]{2,45}$/.test(address) ? address : redact(address)),
};

const accessLogs = new WeakMap<Log, Log>();

/** Returns the log for completed requests. It has every level and keeps the order with other lines. */
export function accessLogOf(log: Log): Log {
  return accessLogs.get(log) ?? log;
}

/** Returns a log that writes nothing, for tests. */
export function silentLogs(): Logs {
  return { log: pino({ level: 'silent' }, { write: () => undefined }), flush: () => Promise.resolve() };
}

/** The place where a program logs. */
export interface LogTarget {
  /** The file to append to. Default: standard output. */
  readonly file?: string;
  /** Whether to write readable text for a terminal. Default: `true` if standard output is a terminal. */
  readonly isTerminal?: boolean;
}

/**
 * Opens a program's log: readable text in a terminal, JSON lines elsewhere. Writes are asynchronous, so that requests continue
 * when the reader stalls. Lines about completed requests are buffered up to 20 ms.
 *
 * @throws LogFileError if the file cannot be written
 */
export async function openLogs(
  name: string,
  level: LogLevel,
  { file, isTerminal = process.stdout.isTTY }: LogTarget = {},
): Promise<OpenLogs> {
  if (isTerminal && file === undefined) {
    const pretty = await prettyStream();
    const write = (text: string) => pretty.write(forTerminal(text));
    return { log: makeLog(name, level, { write }), flush: () => Promise.resolve(), write };
  }
  const lines = openLogDestination(file);
  let isLost = false;
  let isReported = false;
  // If the pipe is closed or the disk is full, log lines are lost and the service continues.
  lines.on('error', () => {
    isLost = true;
    if (!isReported)
      process.stderr.write(
        `sluice ${name}: the reader of the log has ended, or its disk is full: log lines are lost\n`,
      );
    isReported = true;
  });
  lines.on('drain', () => (isLost = false));
  const flush = (deadlineMs = flushDeadlineMs) =>
    isLost ? Promise.resolve() : withinDeadline((done) => lines.flush(done), deadlineMs);
  const reopen = file === undefined ? undefined : () => lines.reopen();
  return { log: makeLog(name, level, lines), flush, reopen, write: (text) => lines.write(text) };
}

/** Loads the formatter only for a terminal, because loading takes a fifth of the start time. */
async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, ignore: 'pid,name', translateTime: 'SYS:HH:MM:ss', singleLine: true });
}

function redactPaths(field: string): string[] {
  return field.startsWith('[') ? [field, `*${field}`, `*.*${field}`] : [field, `*.${field}`, `*.*.${field}`];
}

function withinDeadline(start: (done: () => void) => void, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, deadlineMs);
    start(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
