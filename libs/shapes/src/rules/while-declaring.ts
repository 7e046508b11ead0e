import { getMetadataStorage } from 'class-validator';
import type { ConstraintMetadata } from 'class-validator/types/metadata/ConstraintMetadata';

/** Runs a decorator, and tells of every validator that class-validator notes meanwhile. */
export function whileDeclaring(decorate: () => void, told: (validator: ConstraintMetadata) => void): void {
  const storage = getMetadataStorage();
  const add = storage.addConstraintMetadata;
  storage.addConstraintMetadata = (validator) => {
    told(validator);
    return add.call(storage, validator);
  };
  try {
    decorate();
  } finally {
    storage.addConstraintMetadata = add;
  }
}
