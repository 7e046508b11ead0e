import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import type { Merged } from './merge-text.mts';

/** A member of a document, by its path. */
interface Change {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

interface Changes {
  readonly made: Change[];
  /** The team has another value, which stays. */
  readonly kept: Change[];
}

type Members = Readonly<Record<string, unknown>>;

const formattingOptions = { insertSpaces: true, tabSize: 2 };

/**
 * Merges a JSON file by its members: those that the release changes are changed where the team has what the release before wrote.
 * Comments, the format and all other members stay.
 *
 * @returns `undefined` for a text that is no JSON object
 */
export function mergeJson(path: string, base: Members, ours: string, theirs: Members): Merged | undefined {
  const document = readObject(ours);
  if (document === undefined) return undefined;
  const { made, kept } = compare(base, document, theirs);
  let text = ours;
  for (const { path: place, after } of made)
    text = applyEdits(text, modify(text, [...place], after, { formattingOptions }));
  return {
    text,
    lines: [
      ...made.map(
        (change) => `${path}: ${nameOf(change)} ${valueOf(change.before)} → ${valueOf(change.after)}`,
      ),
      ...kept.map(
        (change) =>
          `${path}: ${nameOf(change)} stays ${valueOf(change.before)}, which is yours; the release has ${valueOf(change.after)}`,
      ),
    ],
  };
}

/** @returns `undefined` for a text that is no JSON object; comments are allowed */
export function readObject(text: string): Members | undefined {
  const errors: ParseError[] = [];
  const read: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && isObject(read) ? read : undefined;
}

/** A member of a value that may be no object. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function compare(base: Members, ours: Members, theirs: Members, path: readonly string[] = []): Changes {
  const changes: Changes = { made: [], kept: [] };
  for (const name of Object.keys({ ...base, ...theirs })) {
    const [was, before, after] = [base[name], ours[name], theirs[name]];
    const place = [...path, name];
    if (isDeepStrictEqual(was, after) || isDeepStrictEqual(before, after)) continue;
    if (isObject(before) && isObject(after)) {
      const within = compare(isObject(was) ? was : {}, before, after, place);
      changes.made.push(...within.made);
      changes.kept.push(...within.kept);
    } else if (isDeepStrictEqual(was, before)) changes.made.push({ path: place, before, after });
    else changes.kept.push({ path: place, before, after });
  }
  return changes;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf({ path }: Change): string {
  return path.join('.');
}

function valueOf(value: unknown): string {
  return value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);
}
