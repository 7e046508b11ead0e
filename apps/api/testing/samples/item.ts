/** The path of the resource. */
export const path = '/items';

let serial = 0;

/** A valid body of `POST /items`, different each time. */
export async function anItem() {
  const n = (serial += 1);
  return { sku: `sku ${n}`, name: `name ${n}`, price: n };
}
