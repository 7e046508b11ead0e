import type { Draft } from '../source/draft.mts';

/** A position in a file of the workspace. */
interface Place {
  readonly path: string;
  /** Matches each neighbour, with the flags `g` and `m`; the captured group is its key. */
  readonly neighbour: RegExp;
}

/**
 * Inserts a statement or a member among similar code.
 *
 * @param key the sort key among its neighbours; default last
 * @throws Error with the file's name, if it has no such neighbours
 */
export function insertAmong(draft: Draft, { path, neighbour }: Place, text: string, key?: string): void {
  const source = draft.read(path);
  const neighbours = [...source.matchAll(neighbour)];
  const last = neighbours.at(-1);
  if (last === undefined) throw new Error(`${path} has no ${String(neighbour)}: add this by hand\n${text}`);
  const next =
    key === undefined ? undefined : neighbours.find(([, follower = '']) => comesAfter(follower, key));
  const at = next?.index ?? last.index + last[0].length;
  const inserted = next === undefined ? `\n${text}` : `${text}\n`;
  draft.write(path, `${source.slice(0, at)}${inserted}${source.slice(at)}`);
}

function comesAfter(neighbour: string, key: string): boolean {
  return neighbour.localeCompare(key, 'en', { sensitivity: 'base' }) > 0;
}
