import { UniqueViolationError } from './errors';

/**
 * Awaits a write, and replaces a specific unique violation by the caller's own error.
 *
 * @param constraint such as `item_sku_unique`
 * @param toError makes the error to throw
 * @throws the `toError` result if `constraint` was violated; every other error unchanged
 */
export async function mapUniqueViolation<T>(
  constraint: string,
  write: Promise<T>,
  toError: (cause: UniqueViolationError) => Error,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof UniqueViolationError && error.constraint === constraint) throw toError(error);
    throw error;
  }
}
