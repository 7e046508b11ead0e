import { type ErrorReply, HttpError } from '@app/http-errors';
import { ForeignKeyViolationError, mapUniqueViolation } from '@app/persistence';

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

/** A reference to something that does not exist, or that the caller must not see. */
export class UnknownReferenceError extends HttpError {
  override readonly name = 'UnknownReferenceError';
  readonly reply: ErrorReply;

  constructor(field: string, options?: ErrorOptions) {
    super(`${field} refers to nothing`, options);
    this.reply = { status: 422, message: `${field} does not exist` };
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

/**
 * Awaits a write and turns the violation of a foreign key into a 422.
 *
 * @param field the reference in the body; of several, such as `projectId or personId`
 * @throws UnknownReferenceError naming `field`; other errors are rethrown
 */
export async function unlessUnknown<T>(field: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (cause) {
    if (cause instanceof ForeignKeyViolationError) throw new UnknownReferenceError(field, { cause });
    throw cause;
  }
}
