import type { Discriminator, TypeRule } from '@app/shapes';

/** A property whose class is told by a field of its value. */
export type ToldType = TypeRule & { readonly discriminator: Discriminator };

/**
 * Finds the class of a value by the field that tells it, and takes that field away unless it is to stay, as
 * class-transformer does with its input.
 *
 * @param asked what the type function says, for where no class is found
 * @returns for a list, what class-transformer itself takes for a type and does so for each element
 */
export function told(rule: ToldType, held: unknown, asked: unknown): unknown {
  const { discriminator, keepDiscriminatorProperty } = rule;
  if (Array.isArray(held)) {
    const { typeFunction, reflectedType } = rule;
    return { typeFunction, reflectedType, options: { discriminator, keepDiscriminatorProperty } };
  }
  const { property, subTypes } = discriminator;
  if (!(held instanceof Object) || !(property in held)) return asked;
  const name: unknown = Reflect.get(held, property);
  const found = subTypes.find((one) => one.name === name)?.value ?? asked;
  if (!keepDiscriminatorProperty) Reflect.deleteProperty(held, property);
  return found;
}
