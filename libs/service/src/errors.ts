import { type ErrorReply, HttpError } from '@app/http-errors';
import { mapUniqueViolation } from '@app/persistence';

/** The resource does not exist, or this caller must not learn that it does. */
export class NotFoundError extends HttpError {
  override readonly name = 'NotFoundError';
  readonly reply: ErrorReply;

  constructor(kind: string, key: string | number) {
    super(`no ${kind} ${key}`);
    this.reply = { status: 404, message: `there is no ${kind} ${key}` };
  }
}

/** A value that must be unique is already in use. */
export class TakenError extends HttpError {
  override readonly name = 'TakenError';
  readonly reply: ErrorReply;

  constructor(field: string, options?: ErrorOptions) {
    super(`${field} is taken`, options);
    this.reply = { status: 409, message: `${field} is already taken` };
  }
}

/**
 * Throws a 404 for a resource that was not found: `store.find(id) ?? missing('post', id)`.
 *
 * @throws NotFoundError always
 */
export function missing(kind: string, key: string | number): never {
  throw new NotFoundError(kind, key);
}

/**
 * Awaits a write and turns a unique violation into a 409.
 *
 * @throws TakenError naming `field` when `constraint` was violated; other errors are rethrown
 */
export function unlessTaken<T>(constraint: string, field: string, write: Promise<T>): Promise<T> {
  return mapUniqueViolation(constraint, write, (cause) => new TakenError(field, { cause }));
}
