/** The characters that JSON leaves unescaped: DEL, C1, bidirectional marks and overrides, and line separators. */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** The unescaped characters above, and C0. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Escapes the characters in JSON that a terminal or an editor would obey. The value stays the same. */
export function escapeControls(json: string): string {
  return json.replace(unescaped, escaped);
}

/** Escapes control characters as JSON does, so that untrusted text stays on a single terminal line. */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/**
 * Formats log lines for a terminal that shows member values as text, so that escaped control characters stay visible as escapes.
 * Only a stack spans several lines.
 *
 * @param json a JSON object on each line, or any text
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
