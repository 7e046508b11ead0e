import { UniqueViolationError } from './errors';

/**
 * Waits for a write, and says it in the caller's words when a value turns out to be taken.
 *
 * @param constraint the unique constraint that is expected to speak, such as `item_sku_unique`
 * @param otherwise  makes the error to throw in its place
 * @throws what `otherwise` made, when `constraint` was broken; every other error as it was
 */
export async function unlessTaken<T>(
  constraint: string,
  write: Promise<T>,
  otherwise: (cause: UniqueViolationError) => Error,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof UniqueViolationError && error.constraint === constraint) throw otherwise(error);
    throw error;
  }
}
