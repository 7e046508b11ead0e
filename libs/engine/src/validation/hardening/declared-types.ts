import { isFunction } from '../../shapes/values';
import { typeOf } from '../../shapes/transforms/declared-rules';

/**
 * Returns the class that a property's value is converted to, as far as it is known before the conversion.
 *
 * @returns `Object` if the class is undeclared or depends on the value
 */
export function classOfProperty(type: Function, property: string, value: object): Function {
  const declared = typeOf(type, property);
  const { discriminator } = declared?.options ?? {};
  const name: unknown = discriminator && Reflect.get(value, discriminator.property);
  const subType = discriminator?.subTypes.find((candidate) => candidate.name === name)?.value;
  const typeFunction = declared?.typeFunction;
  const asked: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
  const target: unknown = subType ?? asked ?? declared?.reflectedType;
  return isFunction(target) ? target : Object;
}
