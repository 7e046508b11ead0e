import { httpError } from '@app/http-errors';
import { ForeignKeyViolationError, mapUniqueViolation } from '@app/persistence';

/** A value that must be unique is already in use. */
export const ValueConflictError = httpError('ValueConflictError', 409, 'value-conflict', {
  title: 'A value is already taken',
  remedy: 'Send another value for the member that `errors` names.',
  namesMembers: true,
  reply: (field: string, options?: ErrorOptions) => ({
    message: `${field} is already taken`,
    log: `${field} is taken`,
    members: membersOf(field),
    ...options,
  }),
});

/** A reference to something that does not exist, or that the caller must not see. */
export const UnknownReferenceError = httpError('UnknownReferenceError', 422, 'unknown-reference', {
  title: 'A reference names nothing that exists',
  remedy:
    'Send the id of something that exists and that the caller may see, in the member that `errors` names.',
  namesMembers: true,
  reply: (field: string, options?: ErrorOptions) => ({
    message: `${field} does not exist`,
    log: `${field} refers to nothing`,
    members: membersOf(field),
    ...options,
  }),
});

/** What the request refers to was removed while it ran, or what it removes is referred to. */
export const ReferenceConflictError = httpError('ReferenceConflictError', 409, 'reference-conflict', {
  title: 'What the request refers to was removed meanwhile, or is still referred to',
  remedy: 'Read again what the request refers to, and repeat it with what exists.',
  log: 'a foreign key is violated',
  reply: (options?: ErrorOptions) => ({
    message: 'what the request refers to was removed meanwhile, or is still referred to',
    ...options,
  }),
});

/** @param field of several, such as `projectId or personId` */
function membersOf(field: string): readonly (readonly string[])[] {
  return field.split(' or ').map((name) => [name]);
}

/**
 * Awaits a write and turns a unique violation into a 409.
 *
 * @throws ValueConflictError naming `field` when `constraint` was violated; other errors are rethrown
 */
export function unlessTaken<T>(constraint: string, field: string, write: Promise<T>): Promise<T> {
  return mapUniqueViolation(constraint, write, (cause) => new ValueConflictError(field, { cause }));
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
