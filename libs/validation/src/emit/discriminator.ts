import type { Discriminator, TypeRule } from '@app/shapes';

/** A property whose class is selected by a field of its value. */
export type DiscriminatedType = TypeRule & { readonly discriminator: Discriminator };

/**
 * Selects the class of a value by its discriminator, and removes that field unless it is to be kept, as
 * class-transformer does with its input.
 *
 * @param asked the result of the type function, if no class is found
 * @returns for a list, the value that class-transformer uses as a type, with which it selects a class for each
 *   element
 */
export function selectType(rule: DiscriminatedType, held: unknown, asked: unknown): unknown {
  const list = rule.rule as DiscriminatedList;
  if (Array.isArray(held)) return list;
  const { property, subTypes } = rule.discriminator;
  if (!(held instanceof Object) || !(property in held)) return asked;
  const name: unknown = Reflect.get(held, property);
  const found = subTypes.find((one) => one.name === name);
  if (!list.options.keepDiscriminatorProperty) new Field(property).takeFrom(held);
  return found === undefined ? asked : found.value;
}

/** What {@link selectType} gives for a list. */
export interface DiscriminatedList {
  readonly typeFunction: (help?: unknown) => unknown;
  readonly options: { readonly discriminator: Discriminator; readonly keepDiscriminatorProperty?: boolean };
}

/**
 * Finds the class of an element of a list, as class-transformer does.
 *
 * @throws TypeError for an element that is null or undefined
 */
export function selectElementType(type: DiscriminatedList, element: unknown, list: unknown): unknown {
  const { discriminator, keepDiscriminatorProperty } = type.options;
  const { property, subTypes } = discriminator;
  const fields = element as Record<string, unknown>;
  const found = subTypes.find((one) => one.name === fields[property]);
  const asked = type.typeFunction({ newObject: list, object: element, property: undefined });
  if (!keepDiscriminatorProperty) new Field(property).takeFrom(fields);
  return found === undefined ? asked : found.value;
}

/** A class, since its code is strict in every bundle: class-transformer throws at a frozen value. */
class Field {
  constructor(private readonly name: string) {}

  takeFrom(held: object): void {
    delete (held as Record<string, unknown>)[this.name];
  }
}
