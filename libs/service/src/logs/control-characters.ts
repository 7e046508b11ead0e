/** DEL and C1, marks and overrides of bidirectional text, separators of lines: JSON has them as they are. */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** The same, and C0. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Escapes in JSON what a terminal or an editor would obey. It stays the same value. */
export function escapeControls(json: string): string {
  return json.replace(unescaped, escaped);
}

/** Writes control characters as JSON escapes them: a text from outside on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/**
 * A line of the log for a terminal, where the values of its members are written as text: the escapes of control characters
 * become text themselves. Only a stack has more than one line.
 *
 * @param json one JSON object on each line, or other text
 */
export function forTerminal(json: string): string {
  return json
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/("stack":)?"(?:[^"\\]|\\.)*"/g, (value, isStack?: string) =>
      value.replace(/\\(?:u[\da-f]{4}|.)/gi, (escape) => shown(escape, isStack !== undefined)),
    );
}

function shown(escape: string, isStack: boolean): string {
  const isText = /^\\["\\/t]/.test(escape) || (isStack && escape === '\\n');
  return isText ? escape : `\\${escape}`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
