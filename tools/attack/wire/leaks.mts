import type { Answer, Attempt } from './exchange.mts';

/** A text that must not appear in a response or a log line. */
export interface Leak {
  readonly what: string;
  readonly excerpt: string;
  /** The request; missing for a log line. */
  readonly attempt?: Attempt;
}

const signs: readonly (readonly [string, RegExp])[] = [
  ['a password hash', /\$argon2(?:id|i|d)\$|\$2[abxy]\$\d\d\$|\$scrypt\$|pbkdf2[_:]sha/],
  ['a stack trace', /\n?\s+at (?:async )?[\w.<>[\] ]+\((?:file:\/\/|node:|\/|[A-Z]:\\)[^)]*:\d+:\d+\)/],
  [
    'a file path',
    /(?:\/(?:home|root|Users|usr|var|opt|tmp)\/[\w.-]+\/|node_modules\/|[A-Z]:\\\\?(?:Users|Program))/,
  ],
  [
    'a message of a database',
    /SQLITE_[A-Z]+|syntax error at or near|duplicate key value violates|UNIQUE constraint failed|ER_(?:DUP|NO|BAD|PARSE|ACCESS|LOCK)_[A-Z_]+/,
  ],
  ['a statement of SQL', /\b(?:select .{1,80} from|insert into|update .{1,40} set|delete from) ["`\w]/i],
];

/** The signs to search for in the log. Stacks and their paths are allowed there because an operator needs them. */
const signsInLogs: typeof signs = [
  ...signs.filter(([what]) => what === 'a password hash'),
  ['a character that a terminal obeys', /[^\t\n\r\P{Cc}]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u],
];

/** The length up to which a text is searched as a whole. */
const maxSearched = 256 * 1024;

/** Searches responses and logs for secrets. */
export class LeakDetector {
  readonly leaks: Leak[] = [];
  private readonly secrets = new Map<string, string>();

  /** Remembers a text that must not come back. */
  keep(what: string, text: string | undefined): void {
    if (text !== undefined && text.length >= 8) this.secrets.set(text, what);
  }

  look(attempt: Attempt, { text, headers }: Answer): void {
    const sent = `${attempt.path}\n${attempt.body?.toString() ?? ''}`;
    const whole = `${JSON.stringify(headers)}\n${text.slice(0, maxSearched)}`;
    for (const [what, sign] of signs) {
      const [leak] = sign.exec(whole) ?? [];
      // What was sent may be sent back.
      if (leak !== undefined && !sign.test(sent)) this.leaks.push({ what, excerpt: leak.trim(), attempt });
    }
    for (const what of this.secretsIn(whole))
      if (!sent.includes(what)) this.leaks.push({ what, excerpt: '…', attempt });
  }

  lookAtLog(log: string): void {
    for (const [what, sign] of signsInLogs) {
      const match = sign.exec(log);
      if (match)
        this.leaks.push({ what: `${what}, in the log`, excerpt: JSON.stringify(around(log, match)) });
    }
    for (const what of this.secretsIn(log)) this.leaks.push({ what: `${what}, in the log`, excerpt: '…' });
  }

  private secretsIn(text: string): string[] {
    return [...this.secrets].filter(([secret]) => text.includes(secret)).map(([, what]) => what);
  }
}

function around(log: string, { 0: match, index }: RegExpExecArray): string {
  return log.slice(Math.max(0, index - 40), index + match.length + 20);
}
