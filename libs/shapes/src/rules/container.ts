import { getFromContainer } from 'class-validator';

/** Nobody's class: what a container gives for it, it gives for the library's own validators. */
class Stranger {}

/**
 * Says whether class-validator's container gives instances of classes it has never seen, as its own does.
 *
 * @returns `false` if it throws or gives something else: then every rule of the library does the same
 */
export function servesStrangers(): boolean {
  try {
    return getFromContainer(Stranger) instanceof Stranger;
  } catch {
    return false;
  }
}
