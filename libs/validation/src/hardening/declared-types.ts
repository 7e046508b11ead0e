/// <reference types="./class-transformer-storage" />
import { defaultMetadataStorage as storage } from 'class-transformer/cjs/storage.js';

/** The property that a field of the wire becomes: its own name, unless `@Expose({ name })` says another. */
export function propertyOf(type: Function, field: string): string {
  return storage.findExposeMetadataByCustomName(type, field)?.propertyName ?? field;
}

/**
 * The class a property's value becomes, as far as that can be said without converting it.
 *
 * @returns `Object` where nothing is declared, or where only the type function itself could tell
 */
export function classOfProperty(type: Function, property: string, value: object): Function {
  const declared = storage.findTypeMetadata(type, property);
  const { discriminator } = declared?.options ?? {};
  const name: unknown = discriminator && Reflect.get(value, discriminator.property);
  const subType = discriminator?.subTypes.find((one) => one.name === name)?.value;
  const found: unknown = subType ?? askedFor(declared?.typeFunction) ?? declared?.reflectedType;
  return typeof found === 'function' ? found : Object;
}

function askedFor(typeFunction: Function | undefined): unknown {
  return typeFunction?.length === 0 ? typeFunction() : undefined;
}
