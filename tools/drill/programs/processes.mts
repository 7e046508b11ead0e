import { readFileSync } from 'node:fs';

/** The children of a process, oldest first. */
export function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.filter(Boolean).map(Number);
}

/** The children of a process, and theirs. */
export function descendantsOf(pid: number): readonly number[] {
  const children = childrenOf(pid);
  return children.concat(...children.map(descendantsOf));
}
