import type { Discriminator } from '../../shapes/transforms/storage';
import type { TypeRule } from '../../shapes/transforms/transform-shape';
import { strictly } from './strict-change';

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
export function selectType(rule: DiscriminatedType, raw: unknown, asked: unknown): unknown {
  const list = rule.rule as DiscriminatedList;
  if (Array.isArray(raw)) return list;
  const { property, subTypes } = rule.discriminator;
  if (!(raw instanceof Object) || !(property in raw)) return asked;
  const name: unknown = Reflect.get(raw, property);
  const found = subTypes.find((one) => one.name === name);
  if (!list.options.keepDiscriminatorProperty) strictly.remove(raw, property);
  return found === undefined ? asked : found.value;
}

/** What {@link selectType} gives for a list. */
interface DiscriminatedList {
  readonly typeFunction: (help?: unknown) => unknown;
  readonly options: { readonly discriminator: Discriminator; readonly keepDiscriminatorProperty?: boolean };
}

/**
 * What class-transformer takes for a type that selects the class of each element. Any other object may be there too: swc
 * writes the object of an imported enum as `design:type`.
 */
export function discriminatedList(type: object): DiscriminatedList | undefined {
  const list = type as DiscriminatedList;
  const discriminator: Discriminator | undefined = list.options?.discriminator;
  return discriminator?.property && discriminator.subTypes ? list : undefined;
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
  if (!keepDiscriminatorProperty) strictly.remove(fields, property);
  return found === undefined ? asked : found.value;
}
