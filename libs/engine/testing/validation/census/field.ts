import 'reflect-metadata';
import type { Random } from '../random';

/** Generates a valid field value. */
export type MakeValue = (random: Random) => unknown;

/** A typical field: its decorators from top to bottom, its type, and valid values. */
export interface Field {
  readonly name: string;
  /** The `design:type` from the compiler's metadata. */
  readonly type: unknown;
  readonly decorators: readonly PropertyDecorator[];
  readonly good: MakeValue;
}

/** Declares a field with values from a list. */
export function field(
  name: string,
  type: unknown,
  decorators: readonly PropertyDecorator[],
  good: readonly unknown[],
): Field {
  return { name, type, decorators, good: (random) => random.pick(good) };
}

/** Decorates a class property like compilers do: from the bottom up, then the type. */
export function declareField(type: Function, { name, decorators, type: noted }: Field): void {
  const target = type.prototype as object;
  for (const decorate of decorators.toReversed()) decorate(target, name);
  Reflect.defineMetadata('design:type', noted, target, name);
}
