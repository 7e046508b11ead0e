/** The resource's path. */
export const path = '/items';

let serial = 0;

/**
 * A valid body of `POST /items`, different each time.
 *
 * @param _clients the callers, for bodies that refer to rows
 */
export async function anItem(_clients: object) {
  const n = (serial += 1);
  return { sku: `sku ${n}`, name: `name ${n}`, price: n };
}
