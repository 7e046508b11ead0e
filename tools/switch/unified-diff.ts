import { applyEdits, type Edit, inOrder } from './text-edits';

/** The lines that stand around a change. */
const CONTEXT = 3;

/** Whole lines of the old text, from the first to before the last, and what stands in their place. */
interface ChangedLines {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

/**
 * The edits of a file as a unified diff, which `git apply` and `patch` read.
 *
 * @param path with slashes, relative to where the diff is applied
 */
export function unifiedDiff(path: string, text: string, edits: readonly Edit[]): string {
  const old = linesOf(text);
  const hunks: string[] = [];
  let shift = 0;
  for (const near of neighbours(changedLines(text, edits))) {
    hunks.push(hunk(old, near, shift));
    shift += near.reduce((sum, { first, last, lines }) => sum + lines.length - (last - first), 0);
  }
  return `--- a/${path}\n+++ b/${path}\n${hunks.join('')}`;
}

/** With their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function changedLines(text: string, edits: readonly Edit[]): ChangedLines[] {
  const starts = startsOf(text);
  const groups: { first: number; last: number; edits: Edit[] }[] = [];
  for (const edit of inOrder(edits)) {
    const [first, last] = [lineAt(starts, edit.start), lineAt(starts, edit.end) + 1];
    const group = groups.at(-1);
    if (group && first < group.last) {
      group.edits.push(edit);
      group.last = Math.max(group.last, last);
    } else groups.push({ first, last, edits: [edit] });
  }
  return groups.map(({ first, last, edits: own }) => {
    const [start, end] = [starts[first], starts[last] ?? text.length];
    const moved = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    return withoutEqualEnds(linesOf(text.slice(start, end)), {
      first,
      last: Math.min(last, starts.length),
      lines: linesOf(applyEdits(text.slice(start, end), moved)),
    });
  });
}

/** A line that an edit only touches, as by an insertion behind it, is context. */
function withoutEqualEnds(old: readonly string[], { first, last, lines }: ChangedLines): ChangedLines {
  const most = Math.min(old.length, lines.length);
  let head = 0;
  while (head < most && old[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  return { first: first + head, last: last - tail, lines: lines.slice(head, lines.length - tail) };
}

/** Changes whose context meets are one hunk. */
function neighbours(changes: readonly ChangedLines[]): ChangedLines[][] {
  const groups: ChangedLines[][] = [];
  for (const change of changes) {
    const before = groups.at(-1)?.at(-1);
    if (before && change.first - before.last <= 2 * CONTEXT) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunk(old: readonly string[], changes: readonly ChangedLines[], shift: number): string {
  const start = Math.max(0, changes[0].first - CONTEXT);
  const end = Math.min(old.length, changes.at(-1)!.last + CONTEXT);
  const printed: string[] = [];
  let at = start;
  for (const { first, last, lines } of changes) {
    printed.push(...marked(' ', old.slice(at, first)));
    printed.push(...marked('-', old.slice(first, last)), ...marked('+', lines));
    at = last;
  }
  printed.push(...marked(' ', old.slice(at, end)));
  const added = changes.reduce((sum, { first, last, lines }) => sum + lines.length - (last - first), 0);
  return `@@ -${range(start, end - start)} +${range(start + shift, end - start + added)} @@\n${printed.join('')}`;
}

function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

function marked(sign: string, lines: readonly string[]): string[] {
  return lines.map(
    (line) => `${sign}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`,
  );
}

function startsOf(text: string): number[] {
  let at = 0;
  return linesOf(text).map((line) => {
    at += line.length;
    return at - line.length;
  });
}

function lineAt(starts: readonly number[], at: number): number {
  const after = starts.findIndex((start) => start > at);
  return (after === -1 ? starts.length : after) - 1;
}
