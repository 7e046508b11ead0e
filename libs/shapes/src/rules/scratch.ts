import { getMetadataStorage } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';

/** Private in class-validator's types: maps by class since 0.14, flat lists before. */
interface Inside {
  validationMetadatas: Map<unknown, ValidationMetadata[]> | ValidationMetadata[];
  constraintMetadatas: Map<unknown, ConstraintMetadata[]> | ConstraintMetadata[];
}

/** What class-validator has stored for a class itself, in the order of declaration. */
export function declaredRules(target: Function): readonly ValidationMetadata[] {
  const { validationMetadatas: stored } = getMetadataStorage() as unknown as Inside;
  return Array.isArray(stored) ? stored.filter((one) => one.target === target) : (stored.get(target) ?? []);
}

/** Removes a temporary class and the validators of its rules from class-validator's storage. */
export function forget(target: Function): void {
  const storage = getMetadataStorage() as unknown as Inside;
  const validators = new Set(declaredRules(target).map(({ constraintCls }) => constraintCls as unknown));
  remove(storage.validationMetadatas, (one) => one === target);
  remove(storage.constraintMetadatas, (one) => validators.has(one));
}

function remove(
  stored: Map<unknown, unknown> | { readonly target: unknown }[],
  isMeant: (target: unknown) => boolean,
): void {
  if (!Array.isArray(stored)) {
    for (const target of [...stored.keys()]) if (isMeant(target)) stored.delete(target);
    return;
  }
  for (let at = stored.length - 1; at >= 0; at--) if (isMeant(stored[at]?.target)) stored.splice(at, 1);
}
