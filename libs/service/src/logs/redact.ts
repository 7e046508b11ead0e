/** The pattern for paths with short segments of small letters and digits. They are written without redaction or escapes. */
export const plainPath = /^(?:\/[a-z\d_-]{0,19})+$/;

interface Rule {
  /** A cheaper pattern that matches in every text that `pattern` matches. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
  readonly instead: string | ((match: string, at: number, text: string) => string);
}

/** The characters before a word. JSON escapes stay whole. After a dash, only random text is found, so each run is read once. */
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
  // Shorter texts may be names in code.
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
 * Redacts recognizable secrets in a text: tokens, API keys, password hashes, URL passwords, and body excerpts in error messages.
 * JSON stays valid. This is defense in depth, because no code should log a secret in the first place.
 */
export function redact(text: string): string {
  return rules.reduce(applied, text);
}

function applied(text: string, { sign, pattern, instead }: Rule): string {
  if (!sign.test(text)) return text;
  return typeof instead === 'string' ? text.replace(pattern, instead) : text.replace(pattern, instead);
}

/**
 * Redacts a request path like {@link redact}, and also shorter or single-case keys, because clients put keys into paths by
 * mistake. In other texts, such words may be trace ids. UUIDs and slugs stay.
 */
export function redactPath(path: string): string {
  return redact(path).replace(
    /[\w-]{20,}/g,
    hiding((run) => isRandom(run) || (/^[\da-z]{32,}$/i.test(run) && /\d/.test(run) && /[a-z]/i.test(run))),
  );
}

/** Returns whether a text looks like random bytes in base64url, with capitals, small letters and digits. */
function isRandom(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}

/** Makes a function that hides secret letter runs. If a run begins with the rest of a JSON escape, the rest is kept. */
function hiding(isSecret: (run: string) => boolean) {
  return (run: string, at: number, text: string): string => {
    const [escape = ''] = text[at - 1] === '\\' ? (/^u[\da-f]{4}|^./.exec(run) ?? []) : [];
    return isSecret(run.slice(escape.length)) ? `${escape}[hidden token]` : run;
  };
}
