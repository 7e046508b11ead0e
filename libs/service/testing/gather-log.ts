import { type LogLevel, type Logs, makeLog } from '../src/logs/open-logs';

/** A log with lines that a test reads. */
export interface GatheredLog {
  readonly logs: Logs;
  /** Returns every line so far, parsed. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[];
}

/** Makes a log that keeps its lines. */
export function gatherLog(level: LogLevel = 'info'): GatheredLog {
  const texts: string[] = [];
  const write = (text: string) => void texts.push(text);
  return {
    logs: { log: makeLog('gathered', level, { write }), flush: () => Promise.resolve() },
    lines: () =>
      texts
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}
