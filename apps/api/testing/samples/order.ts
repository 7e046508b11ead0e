/** The resource's path. */
export const path = '/orders';

let serial = 0;

/**
 * A valid body of `POST /orders`, different each time.
 *
 * @param _clients the callers, for bodies that refer to rows
 */
export async function anOrder(_clients: object) {
  const n = (serial += 1);
  return { items: [{ sku: `sku ${n}`, quantity: String(n) }] };
}
