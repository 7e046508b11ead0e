import { type Logs, makeLog } from '../src/logs/open-logs';
import type { Reply } from './client';

/** A secret in a response or in the log. */
export interface Leak {
  /** The secret, such as `account.passwordHash`. */
  readonly what: string;
  /** The place where it was found, such as `GET /users/me as nobody: body`. */
  readonly where: string;
}

/** Access tokens in responses. An access token contains the session id in base64, which its owner may know. */
const givenToken = /"access_token":"[\w.-]+"/g;

/** The shortest text to search for. Shorter texts may occur in responses by chance. */
const shortestSecret = 8;

/**
 * Searches responses and the log for known secrets: as plain text, and encoded for URLs, as JSON, as base64 and as
 * hexadecimal digits.
 */
export class LeakDetector {
  /** A log at level `trace` that keeps its lines. */
  readonly logs: Logs;
  readonly leaks: Leak[] = [];
  private readonly lines: string[] = [];
  private readonly kept = new Map<string, string>();

  constructor() {
    const write = (line: string) => void this.lines.push(line);
    this.logs = { log: makeLog('watched', 'trace', { write }), flush: () => Promise.resolve() };
  }

  /** Adds a secret to search for. */
  keep(what: string, text: string): void {
    if (text.length < shortestSecret) return;
    for (const form of formsOf(text)) this.kept.set(form, what);
  }

  /** Checks the headers and the body of a response. */
  check(where: string, { text, headers }: Pick<Reply, 'text' | 'headers'>): void {
    this.find(`${where}: body`, text.replaceAll(givenToken, '"access_token":"…"'));
    this.find(`${where}: headers`, [...headers].map((field) => field.join(': ')).join('\n'));
  }

  /** Checks the log and returns its number of lines. */
  checkLog(): number {
    for (const line of this.lines) this.find('the log', line);
    return this.lines.length;
  }

  private find(where: string, text: string): void {
    for (const [form, what] of this.kept) if (text.includes(form)) this.leaks.push({ what, where });
  }
}

function formsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** Returns all field names in a JSON value, at any depth, in a form that camelCase and snake_case share. */
export function fieldNames(json: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (!Array.isArray(value)) names.add(plainName(name));
      collect(part);
    }
  };
  collect(json);
  return names;
}

/** Returns the same text for `passwordHash` and `password_hash`. */
export function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
