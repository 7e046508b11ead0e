import { getFromContainer, Validator } from 'class-validator';

/** A class that no container knows. A container creates the library's own validators in the same way as this class. */
class UnknownClass {}

/**
 * Whether class-validator's container creates instances of unknown classes, like its default container does.
 *
 * @returns `false` if the container throws or returns something else, because every library rule then does the same. Also
 * `false` if its `Validator`, which the library calls to validate, is not the library's own
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
