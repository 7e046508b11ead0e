import { getMetadataStorage } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';

/** The members that class-validator's types hide: maps by class since 0.14, flat lists before. */
interface Inside {
  validationMetadatas: Map<unknown, ValidationMetadata[]> | ValidationMetadata[];
  constraintMetadatas: Map<unknown, ConstraintMetadata[]> | ConstraintMetadata[];
}

/** Returns the rules that class-validator has stored for a class itself, in declaration order. */
export function declaredRules(target: Function): readonly ValidationMetadata[] {
  const { validationMetadatas: stored } = getMetadataStorage() as unknown as Inside;
  return Array.isArray(stored)
    ? stored.filter((metadata) => metadata.target === target)
    : (stored.get(target) ?? []);
}

/** Removes a temporary class and the validators of its rules from class-validator's storage. */
export function forget(target: Function): void {
  const storage = getMetadataStorage() as unknown as Inside;
  const validators = declaredRules(target).map(({ constraintCls }) => constraintCls as unknown);
  remove(storage.validationMetadatas, [target]);
  remove(storage.constraintMetadatas, validators);
}

function remove(
  stored: Map<unknown, unknown> | { readonly target: unknown }[],
  targets: readonly unknown[],
): void {
  if (!Array.isArray(stored)) for (const target of targets) stored.delete(target);
  else
    for (let at = stored.length - 1; at >= 0; at--)
      if (targets.includes(stored[at]?.target)) stored.splice(at, 1);
}
