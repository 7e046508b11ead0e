import { mapUniqueViolation } from '@app/persistence';
import { type ErrorReply, HttpError } from '@app/http-errors';

/** The path names nothing that this caller may know of. */
export class NotFoundError extends HttpError {
  override readonly name = 'NotFoundError';
  readonly reply: ErrorReply;

  constructor(kind: string, key: string | number) {
    super(`no ${kind} ${key}`);
    this.reply = { status: 404, message: `there is no ${kind} ${key}` };
  }
}

/** A value that must be unique stands somewhere else already. */
export class TakenError extends HttpError {
  override readonly name = 'TakenError';
  readonly reply: ErrorReply;

  constructor(field: string, options?: ErrorOptions) {
    super(`${field} is taken`, options);
    this.reply = { status: 409, message: `${field} is already taken` };
  }
}

/**
 * Ends a handler that was asked for something that is not there: `store.find(id) ?? missing('post', id)`.
 *
 * @throws NotFoundError always
 */
export function missing(kind: string, key: string | number): never {
  throw new NotFoundError(kind, key);
}

/**
 * Waits for a write, and says which field was taken when a unique constraint refuses it.
 *
 * @throws TakenError naming `field` when `constraint` was broken; every other error as it was
 */
export function unlessTaken<T>(constraint: string, field: string, write: Promise<T>): Promise<T> {
  return mapUniqueViolation(constraint, write, (cause) => new TakenError(field, { cause }));
}
