import type { Finding } from '@app/engine';
import type { InputFault } from './input-faults';

/**
 * Returns the finding about a member whose class was not loaded before it. tsc then emits `undefined` as the type, and builds by
 * swc and webpack throw at the start.
 */
export function unloadedClass(type: Function, member: string): Finding | undefined {
  const { prototype } = type;
  if (!Reflect.hasMetadata('design:type', prototype, member)) return undefined;
  if (Reflect.getMetadata('design:type', prototype, member) !== undefined) return undefined;
  const code: InputFault = 'SLUICE-C116';
  return {
    code,
    problem: `${type.name}.${member} has a class that was not loaded before it`,
    remedy:
      'The files of both classes import each other: type the member by an alias in both of them, such as type BookOfAuthor = Book',
    place: { type, member },
  };
}
