import { typeOf } from '../../shapes/transforms/declared-rules';

/**
 * The class that a property's value is converted to, as far as it is known without converting it.
 *
 * @returns `Object` if none is declared, or if it depends on the value
 */
export function classOfProperty(type: Function, property: string, value: object): Function {
  const declared = typeOf(type, property);
  const { discriminator } = declared?.options ?? {};
  const name: unknown = discriminator && Reflect.get(value, discriminator.property);
  const subType = discriminator?.subTypes.find((one) => one.name === name)?.value;
  const found: unknown = subType ?? askedFor(declared?.typeFunction) ?? declared?.reflectedType;
  return typeof found === 'function' ? found : Object;
}

function askedFor(typeFunction: Function | undefined): unknown {
  return typeFunction?.length === 0 ? typeFunction() : undefined;
}
