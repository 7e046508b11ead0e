import type { Discriminator } from '../../shapes/transforms/storage';
import type { TypeRule } from '../../shapes/transforms/transform-shape';
import { strictly } from './strict-change';

/** A property with a class that a field in its value selects. */
export type DiscriminatedType = TypeRule & { readonly discriminator: Discriminator };

/**
 * Selects the class of a value by its discriminator. Like class-transformer, it removes that field from the input unless the
 * field is to be kept.
 *
 * @param asked the type function's result, used if no class matches
 * @returns for a list, the value that class-transformer uses as a type to select the class for each element
 */
export function selectType(rule: DiscriminatedType, raw: unknown, asked: unknown): unknown {
  const list = rule.rule as DiscriminatedList;
  if (Array.isArray(raw)) return list;
  const { property, subTypes } = rule.discriminator;
  if (!(raw instanceof Object) || !(property in raw)) return asked;
  const name: unknown = Reflect.get(raw, property);
  const subType = subTypes.find((candidate) => candidate.name === name);
  if (!list.options.keepDiscriminatorProperty) strictly.remove(raw, property);
  return subType === undefined ? asked : subType.value;
}

/** The list type that {@link selectType} returns. */
interface DiscriminatedList {
  readonly typeFunction: (help?: unknown) => unknown;
  readonly options: { readonly discriminator: Discriminator; readonly keepDiscriminatorProperty?: boolean };
}

/**
 * Returns the type if class-transformer uses it to select the class for each element. Any other object may be there too, because
 * swc writes the object of an imported enum as `design:type`.
 */
export function discriminatedList(type: object): DiscriminatedList | undefined {
  const list = type as DiscriminatedList;
  const discriminator: Discriminator | undefined = list.options?.discriminator;
  return discriminator?.property && discriminator.subTypes ? list : undefined;
}

/**
 * Finds the class of a list element, like class-transformer.
 *
 * @throws TypeError for an element that is null or undefined
 */
export function selectElementType(type: DiscriminatedList, element: unknown, list: unknown): unknown {
  const { discriminator, keepDiscriminatorProperty } = type.options;
  const { property, subTypes } = discriminator;
  const fields = element as Record<string, unknown>;
  const subType = subTypes.find((candidate) => candidate.name === fields[property]);
  const asked = type.typeFunction({ newObject: list, object: element, property: undefined });
  if (!keepDiscriminatorProperty) strictly.remove(fields, property);
  return subType === undefined ? asked : subType.value;
}
