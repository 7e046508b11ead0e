import { type Logs, makeLog } from '../src/logs/open-logs';
import type { Reply } from './client';

/** Something that was where it must not be. */
export interface Leak {
  /** What it was, such as `account.passwordHash`. */
  readonly what: string;
  /** Where it was found, such as `GET /users/me as nobody: body`. */
  readonly where: string;
}

/** A token tells whom it is given to which session it is of, in base64: found or not by how long the rest of it is. */
const givenToken = /"access_token":"[\w.-]+"/g;

/** Shorter texts stand in answers by chance. */
const shortestSecret = 8;

/**
 * Remembers what is secret and looks for it in answers and in the log: as it is, and as it would look in a URL, in
 * JSON, in base64 and in hexadecimal digits.
 */
export class LeakWatch {
  /** A log on its most talkative level, whose lines are kept. */
  readonly logs: Logs;
  readonly leaks: Leak[] = [];
  private readonly lines: string[] = [];
  private readonly kept = new Map<string, string>();

  constructor() {
    const write = (line: string) => void this.lines.push(line);
    this.logs = { log: makeLog('watched', 'trace', { write }), flush: () => Promise.resolve() };
  }

  /** Remembers a secret from now on. */
  keep(what: string, text: string): void {
    if (text.length < shortestSecret) return;
    for (const form of formsOf(text)) this.kept.set(form, what);
  }

  /** Looks at an answer: status line aside, all of it. */
  look(where: string, { text, headers }: Pick<Reply, 'text' | 'headers'>): void {
    this.find(`${where}: body`, text.replaceAll(givenToken, '"access_token":"…"'));
    this.find(`${where}: headers`, [...headers].map((field) => field.join(': ')).join('\n'));
  }

  /** Looks at the log as it is by now, and tells how many lines it has. */
  lookAtLog(): number {
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

/** The names of all fields of a JSON value, however deep, in the form that camelCase and snake_case share. */
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

/** `passwordHash` and `password_hash` alike. */
export function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
