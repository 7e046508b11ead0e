import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

type Say = (line: string) => void;
type Members = Readonly<Record<string, unknown>>;
const print = (value: unknown) => JSON.stringify(value) ?? 'absent';

/** Merges the changes in a release into a file that the team may have edited. A missing file has the text `undefined`. */
export function mergeText(
  [base, ours, theirs]: readonly (string | undefined)[],
  say: Say,
): string | undefined {
  const before = ours?.replaceAll('\r\n', '\n');
  if (base === theirs || before === theirs) return ours;
  if (before !== undefined && theirs !== undefined) {
    const merged = mergeLines({ ours: before, base: base ?? '', theirs }, say);
    return before === ours ? merged : merged.replaceAll('\n', '\r\n');
  }
  if (before === base) {
    say(theirs === undefined ? 'deleted' : 'created');
    return theirs;
  }
  if (before === undefined) say('deleted here, so it stays deleted; the release changes it');
  else say('edited here, so it stays; the release no longer has it');
  return ours;
}

function mergeLines(texts: Readonly<Record<'ours' | 'base' | 'theirs', string>>, say: Say): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-merge-'));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const args = ['merge-file', '--stdout', ...Object.keys(texts)];
  const { status, stdout, error } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  // The status is the number of conflicts, up to 127.
  if (status === null || status > 127) throw new Error('git merge-file failed', { cause: error });
  say(status === 0 ? 'updated' : 'conflicts with your edits between <<<<<<< and >>>>>>>');
  return stdout;
}

/** Changes the members that the release changes and the team has left as they were. */
export function mergeMembers(base: Members, ours: Members, theirs: Members, say: Say): Members {
  const merged: Record<string, unknown> = { ...ours };
  for (const name of Object.keys({ ...base, ...theirs })) {
    const [was, before, after] = [base[name], ours[name], theirs[name]];
    if (isDeepStrictEqual(was, after) || isDeepStrictEqual(before, after)) continue;
    if (isMembers(before) && isMembers(after))
      merged[name] = mergeMembers(isMembers(was) ? was : {}, before, after, (line) => say(`${name}.${line}`));
    else if (isDeepStrictEqual(was, before)) {
      merged[name] = after;
      say(`${name} ${print(before)} → ${print(after)}`);
    } else say(`${name} stays ${print(before)}, which is yours; the release has ${print(after)}`);
  }
  return merged;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
