import { httpError } from '@app/http-errors';
import { ForeignKeyViolationError, mapUniqueViolation } from '@app/persistence';

/** The error for a value that must be unique and is already in use. */
export const ValueConflictError = httpError('ValueConflictError', 409, 'value-conflict', {
  title: 'A value is already taken',
  remedy: 'Send a different value for the member that `errors` names.',
  namesMembers: true,
  reply: (field: string, options?: ErrorOptions) => ({
    message: `${field} is already taken`,
    log: `${field} is taken`,
    members: membersOf(field),
    ...options,
  }),
});

/** The error for a reference to something that does not exist or is hidden from the caller. */
export const UnknownReferenceError = httpError('UnknownReferenceError', 422, 'unknown-reference', {
  title: 'A reference names a missing resource',
  remedy: 'In the member that `errors` names, send the id of a resource that the caller may see.',
  namesMembers: true,
  reply: (field: string, options?: ErrorOptions) => ({
    message: `${field} does not exist`,
    log: `${field} refers to nothing`,
    members: membersOf(field),
    ...options,
  }),
});

/** The error for a reference that was removed while the request ran, or for removing something still referred to. */
export const ReferenceConflictError = httpError('ReferenceConflictError', 409, 'reference-conflict', {
  title: 'A referenced resource was removed meanwhile, or the resource is still referenced',
  remedy: 'Read the referenced resources again, and repeat the request with ids that exist.',
  log: 'a foreign key is violated',
  reply: (options?: ErrorOptions) => ({
    message: 'what the request refers to was removed meanwhile, or is still referred to',
    ...options,
  }),
});

/** @param field the member's name, or several names such as `projectId or personId` */
function membersOf(field: string): readonly (readonly string[])[] {
  return field.split(' or ').map((name) => [name]);
}

/**
 * Awaits a write and turns a unique violation into a 409.
 *
 * @throws ValueConflictError naming `field` when `constraint` was violated; any other error is rethrown
 */
export function unlessTaken<T>(constraint: string, field: string, write: Promise<T>): Promise<T> {
  return mapUniqueViolation(constraint, write, (cause) => new ValueConflictError(field, { cause }));
}

/**
 * Awaits a write and turns a foreign key violation into a 422.
 *
 * @param field the reference in the body, or several references such as `projectId or personId`
 * @throws UnknownReferenceError naming `field`; any other error is rethrown
 */
export async function unlessUnknown<T>(field: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (cause) {
    if (cause instanceof ForeignKeyViolationError) throw new UnknownReferenceError(field, { cause });
    throw cause;
  }
}
