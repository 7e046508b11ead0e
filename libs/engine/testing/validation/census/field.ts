import 'reflect-metadata';
import type { Random } from '../random';

/** Generates a valid value of a field. */
export type MakeValue = (random: Random) => unknown;

/** A typical field: its decorators from top to bottom, its type, and valid values. */
export interface Field {
  readonly name: string;
  /** The compiler's metadata `design:type`. */
  readonly type: unknown;
  readonly decorators: readonly PropertyDecorator[];
  readonly good: MakeValue;
}

/** Declares a field whose values are chosen from a list. */
export function field(
  name: string,
  type: unknown,
  decorators: readonly PropertyDecorator[],
  good: readonly unknown[],
): Field {
  return { name, type, decorators, good: (random) => random.pick(good) };
}

/** Decorates a property of a class as compilers do: from the bottom up, then the type. */
export function declareField(type: Function, { name, decorators, type: noted }: Field): void {
  const target = type.prototype as object;
  for (const decorate of decorators.toReversed()) decorate(target, name);
  Reflect.defineMetadata('design:type', noted, target, name);
}
