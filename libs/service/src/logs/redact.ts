/** Short segments of small letters and digits: nothing in such a path is redacted, and nothing is escaped in JSON. */
export const plainPath = /^(?:\/[a-z\d_-]{0,19})+$/;

interface Rule {
  /** Found in every text that the pattern matches: a cheaper test. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
  readonly instead: string | ((found: string, at: number, text: string) => string);
}

/** What stands before a word; an escape of JSON stays whole. After a dash only what is random is found, so that a run is read once. */
const before = String.raw`(^|[^\w\\-]|\\[bfnrt]|\\u[\da-f]{4})`;

const rules: readonly Rule[] = [
  {
    sign: /bearer/i,
    pattern: new RegExp(String.raw`${before}Bearer(?:\s|%20|\+)+[^\s"',;\\]+`, 'gi'),
    instead: '$1Bearer [hidden]',
  },
  {
    sign: /eyJ/,
    pattern: new RegExp(String.raw`${before}eyJ[\w-]+\.[\w-]*\.[\w-]*`, 'g'),
    instead: '$1[hidden token]',
  },
  {
    sign: /sluice_[\w-]{40}/,
    pattern: new RegExp(String.raw`${before}sluice_[\w-]{40,}`, 'g'),
    instead: '$1[hidden key]',
  },
  // Shorter ones may be names in code.
  { sign: /[\w-]{32}/, pattern: /[\w-]{32,}/g, instead: hiding(isRandom) },
  { sign: /:\/\//, pattern: /(\w:\/\/[^\s:/@"\\]*):[^\s/"\\]*@/g, instead: '$1:[hidden]@' },
  { sign: /\$argon2/, pattern: /\$argon2[a-z]*\$[^\s"'\\]+/g, instead: '[hidden hash]' },
  // V8 quotes a piece of the text that `JSON.parse` rejected, which may be a password.
  {
    sign: /Unexpected token/,
    pattern: /Unexpected token .{1,200}? is not valid JSON/gs,
    instead: 'Text is not valid JSON',
  },
];

/**
 * Redacts recognisable secrets in a text: tokens, API keys, password hashes, the password in a URL, the piece of a body in an
 * error. JSON stays valid JSON. This is defence in depth: no code should log a secret in the first place.
 */
export function redact(text: string): string {
  return rules.reduce(applied, text);
}

function applied(text: string, { sign, pattern, instead }: Rule): string {
  if (!sign.test(text)) return text;
  return typeof instead === 'string' ? text.replace(pattern, instead) : text.replace(pattern, instead);
}

/**
 * As {@link redact}, of the path of a request, where clients put keys by mistake: shorter ones too, and those in letters of one
 * case, which a line has as ids of traces. UUIDs and slugs stay.
 */
export function redactPath(path: string): string {
  return redact(path).replace(
    /[\w-]{20,}/g,
    hiding((run) => isRandom(run) || (/^[\da-z]{32,}$/i.test(run) && /\d/.test(run) && /[a-z]/i.test(run))),
  );
}

/** Random bytes in base64url have capitals, small letters and digits. */
function isRandom(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}

/** Replaces a run of letters, without the end of an escape of JSON at its beginning. */
function hiding(isSecret: (run: string) => boolean) {
  return (run: string, at: number, text: string): string => {
    const [escape = ''] = text[at - 1] === '\\' ? (/^u[\da-f]{4}|^./.exec(run) ?? []) : [];
    return isSecret(run.slice(escape.length)) ? `${escape}[hidden token]` : run;
  };
}
