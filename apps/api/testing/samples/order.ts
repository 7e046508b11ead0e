/** The path of the resource. */
export const path = '/orders';

let serial = 0;

/** A valid body of `POST /orders`, different each time. */
export async function anOrder() {
  const n = (serial += 1);
  return { items: [{ sku: `sku ${n}`, quantity: String(n) }] };
}
