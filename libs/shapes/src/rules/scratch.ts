import { getMetadataStorage } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';

/** Private in class-validator's types: maps by class since 0.14, flat lists before. */
interface Inside {
  validationMetadatas: Map<unknown, ValidationMetadata[]> | ValidationMetadata[];
  constraintMetadatas: Map<unknown, ConstraintMetadata[]> | ConstraintMetadata[];
}

/** What class-validator has noted for a class itself, in the order of declaration. */
export function declaredRules(target: Function): readonly ValidationMetadata[] {
  const { validationMetadatas: noted } = getMetadataStorage() as unknown as Inside;
  return Array.isArray(noted) ? noted.filter((one) => one.target === target) : (noted.get(target) ?? []);
}

/** Makes class-validator forget a class that was declared to try something, and the validators of its rules. */
export function forget(target: Function): void {
  const storage = getMetadataStorage() as unknown as Inside;
  const validators = new Set(declaredRules(target).map(({ constraintCls }) => constraintCls as unknown));
  remove(storage.validationMetadatas, (one) => one === target);
  remove(storage.constraintMetadatas, (one) => validators.has(one));
}

function remove(
  noted: Map<unknown, unknown> | { readonly target: unknown }[],
  isMeant: (target: unknown) => boolean,
): void {
  if (!Array.isArray(noted)) {
    for (const target of [...noted.keys()]) if (isMeant(target)) noted.delete(target);
    return;
  }
  for (let at = noted.length - 1; at >= 0; at--) if (isMeant(noted[at]?.target)) noted.splice(at, 1);
}
