import { getFromContainer, Validator } from 'class-validator';

/** An unknown class: what a container returns for it, it also returns for the library's own validators. */
class UnknownClass {}

/**
 * Whether class-validator's container creates instances of unknown classes, as its default container does.
 *
 * @returns `false` if it throws or returns something else: then every rule of the library does the same. Also if its
 *   `Validator`, which the library calls to validate, is not the library's own
 */
export function instantiatesUnknownClasses(): boolean {
  try {
    return (
      getFromContainer(UnknownClass) instanceof UnknownClass &&
      isLibraryValidator(getFromContainer(Validator))
    );
  } catch {
    return false;
  }
}

const { validate, validateSync } = Validator.prototype;

function isLibraryValidator(validator: Validator): boolean {
  return validator.validate === validate && validator.validateSync === validateSync;
}
