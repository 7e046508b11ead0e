import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../workspace.mts';
import { writeFile } from '../project.mts';

/** One place in a file of the workspace. */
interface Place {
  readonly path: string;
  /** Matches each of its neighbours whole, global and by line; what is captured is their key. */
  readonly neighbour: RegExp;
}

/**
 * Adds a statement or a member among its like.
 *
 * @param key by which the neighbours are sorted; without one it comes last
 * @throws Error naming the file, when it has no such neighbours: it is not what it was when this was written
 */
export function insertAmong({ path, neighbour }: Place, text: string, key?: string): void {
  const source = readFileSync(join(root, path), 'utf8');
  const neighbours = [...source.matchAll(neighbour)];
  const last = neighbours.at(-1);
  if (last === undefined) throw new Error(`${path} has no ${String(neighbour)}: add there by hand\n${text}`);
  const next = key === undefined ? undefined : neighbours.find(([, other = '']) => comesAfter(other, key));
  const at = next?.index ?? last.index + last[0].length;
  const inserted = next === undefined ? `\n${text}` : `${text}\n`;
  writeFile(path, `${source.slice(0, at)}${inserted}${source.slice(at)}`);
}

/** Adds an element at the end of a list, such as `controllers: [`. */
export function appendToList(path: string, property: string, element: string): void {
  const source = readFileSync(join(root, path), 'utf8');
  const list = new RegExp(String.raw`(?<=${property}: \[)[^\]]*?(?=,?\s*\])`).exec(source);
  if (list === null) throw new Error(`${path} has no list ${property}: add ${element} there by hand`);
  const end = list.index + list[0].length;
  const comma = list[0].trim() === '' ? '' : ', ';
  writeFile(path, `${source.slice(0, end)}${comma}${element}${source.slice(end)}`);
}

function comesAfter(other: string, key: string): boolean {
  return other.localeCompare(key, 'en', { sensitivity: 'base' }) > 0;
}
