import { assemble, code, Scope, transformsGeneration } from '@app/shapes';
import { isPristine } from './text/pristine';
import type { ClassWriter } from './values';

/** What a front hands values on to; it changes when a decorator has run. */
export interface Behind {
  generation: number;
  root: Pick<ClassWriter, 'text' | 'many'>;
  refresh(): void;
  /** Any value at all. */
  write(value: unknown): string;
  /** A value that did not go through. */
  whole(value: unknown): string;
}

/**
 * The function a caller calls, as code of its own.
 *
 * One function for all classes would be slower for each: what an engine learns about the values of one call is only
 * worth something when they are always of the same class.
 */
export function makeFront(type: Function, behind: Behind): (value: unknown) => string {
  const scope = new Scope();
  const own = scope.hoist(behind, 'behind');
  const isList = scope.hoist(Array.isArray, 'isArray');
  return assemble<(value: unknown) => string>(
    `front of ${type.name}`,
    code`return function write(value) {
  if (${own}.generation !== ${scope.hoist(transformsGeneration)}()) ${own}.refresh();
  if (typeof value !== 'object' || value === null || !${scope.hoist(isPristine)}()) return ${own}.write(value);
  try {
    if (${isList}(value)) return ${own}.root.many(value);
    if (value.constructor === ${scope.hoist(type, 'type')}) return ${own}.root.text(value);
  } catch {
    return ${own}.whole(value);
  }
  return ${own}.write(value);
};`,
    scope,
  ).made;
}
