import { isObject, prototypeOf } from '../../shapes/values';
import type { Discriminator } from '../../shapes/transforms/storage';
import { needsReference } from './text/json-text';
import type { Form, Values } from './values';

/**
 * The type of a property with a class that a field in its value selects. class-transformer writes the class name into that field
 * in the value itself, and then converts the value by its own class.
 */
export class SelectedPart {
  readonly #discriminator: Discriminator;

  constructor(discriminator: Discriminator) {
    this.#discriminator = discriminator;
  }

  /** @throws needsReference where class-transformer throws, and for values that it calls */
  convert(values: Values, form: Form, value: unknown): unknown {
    if (!value) return value;
    return Array.isArray(value)
      ? this.#convertList(values, form, value)
      : this.#convertOne(values, form, value);
  }

  #convertList(values: Values, form: Form, list: readonly unknown[]): unknown {
    if (prototypeOf(list) !== Array.prototype) throw needsReference;
    const elements: unknown[] = [];
    for (let at = 0; at < list.length; at++)
      if (at in list) elements.push(this.#convertOne(values, form, list[at]));
    return elements;
  }

  #convertOne(values: Values, form: Form, value: unknown): unknown {
    if (!isObject(value)) throw needsReference;
    const { property, subTypes } = this.#discriminator;
    const type = subTypes.find((subType) => subType.value === value.constructor);
    if (type === undefined) throw needsReference;
    (value as Record<string, unknown>)[property] = type.name;
    return values[form](value);
  }
}
