import { type ErrorReply, HttpError, jsonPointer, type ProblemType, problemType } from '@app/http-errors';
import { ForeignKeyViolationError, mapUniqueViolation } from '@app/persistence';

/** The resource does not exist, or this caller must not learn that it does. */
export class NotFoundError extends HttpError {
  static readonly problem = problemType({
    code: 'not-found',
    status: 404,
    title: 'The resource does not exist',
    remedy:
      'Check the path, and that the caller may see the resource: what others own does not exist for the caller.',
  });
  override readonly name = 'NotFoundError';
  readonly reply: ErrorReply;

  constructor(kind: string, key: string | number) {
    super(`no ${kind} ${key}`);
    this.reply = {
      status: 404,
      message: `there is no ${kind} ${key}`,
      problem: NotFoundError.problem,
    };
  }
}

/** A value that must be unique is already in use. */
export class TakenError extends HttpError {
  static readonly problem = problemType({
    code: 'taken',
    status: 409,
    title: 'A value is already taken',
    remedy: 'Send another value for the member that `errors` names.',
    namesMembers: true,
  });
  override readonly name = 'TakenError';
  readonly reply: ErrorReply;

  constructor(field: string, options?: ErrorOptions) {
    super(`${field} is taken`, options);
    const message = `${field} is already taken`;
    this.reply = { status: 409, message, ...problemAt(field, message, TakenError.problem) };
  }
}

/** A reference to something that does not exist, or that the caller must not see. */
export class UnknownReferenceError extends HttpError {
  static readonly problem = problemType({
    code: 'unknown-reference',
    status: 422,
    title: 'A reference names nothing that exists',
    remedy:
      'Send the id of something that exists and that the caller may see, in the member that `errors` names.',
    namesMembers: true,
  });
  override readonly name = 'UnknownReferenceError';
  readonly reply: ErrorReply;

  constructor(field: string, options?: ErrorOptions) {
    super(`${field} refers to nothing`, options);
    const message = `${field} does not exist`;
    this.reply = { status: 422, message, ...problemAt(field, message, UnknownReferenceError.problem) };
  }
}

/**
 * The part of a reply that names members of the body.
 *
 * @param field of several, such as `projectId or personId`
 */
function problemAt(
  field: string,
  detail: string,
  problem: ProblemType,
): Pick<ErrorReply, 'problem' | 'inputProblems'> {
  const { code } = problem;
  const inputProblems = () => ({
    listed: field
      .split(' or ')
      .map((name) => ({ in: 'body' as const, pointer: jsonPointer([name]), code, params: {}, detail })),
    omitted: 0,
  });
  return { problem, inputProblems };
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
