/** The path of the resource. */
export const path = '/posts';

let serial = 0;

/** A valid body of `POST /posts`, different each time. */
export async function aPost() {
  const n = (serial += 1);
  return { slug: `slug-${n}` };
}
