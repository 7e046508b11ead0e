/** The resource's path. */
export const path = '/posts';

let serial = 0;

/**
 * A valid body of `POST /posts`, different each time.
 *
 * @param _clients the callers, for bodies that refer to rows
 */
export async function aPost(_clients: object) {
  const n = (serial += 1);
  return { slug: `slug-${n}` };
}
