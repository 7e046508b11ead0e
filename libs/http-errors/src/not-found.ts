import { httpError } from './http-error-class';

/** The resource does not exist, or its existence is hidden from this caller. */
export const NotFoundError = httpError('NotFoundError', 404, 'not-found', {
  title: 'The resource does not exist',
  remedy: 'Check the path, and that the caller may see the resource; both cases have the same response.',
  reply: (kind: string, key: string | number) => ({
    message: `there is no ${kind} ${key}`,
    log: `no ${kind} ${key}`,
  }),
});

/**
 * Throws a 404 for a resource that was not found: `store.find(id) ?? missing('post', id)`.
 *
 * @throws NotFoundError always
 */
export function missing(kind: string, key: string | number): never {
  throw new NotFoundError(kind, key);
}
