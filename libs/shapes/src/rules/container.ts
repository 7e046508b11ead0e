import { getFromContainer, Validator } from 'class-validator';

/** Nobody's class: what a container gives for it, it gives for the library's own validators. */
class Stranger {}

/**
 * Says whether class-validator's container gives instances of classes it has never seen, as its own does.
 *
 * @returns `false` if it throws or gives something else: then every rule of the library does the same. Also if the
 *   `Validator` it gives, whom the library asks to validate, is one of somebody's own
 */
export function servesStrangers(): boolean {
  try {
    return getFromContainer(Stranger) instanceof Stranger && isTheLibrarys(getFromContainer(Validator));
  } catch {
    return false;
  }
}

const { validate, validateSync } = Validator.prototype;

function isTheLibrarys(validator: Validator): boolean {
  return validator.validate === validate && validator.validateSync === validateSync;
}
