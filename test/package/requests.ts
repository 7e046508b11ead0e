/** A request for the comparison. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
}

const address = { street: 'Main street 1', zip: '12345', country: 'de' };
const item = { sku: 'a-1', quantity: 2, size: 'small' };
const order = {
  email: 'ann@example.org',
  reference: '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a',
  dueAt: '2026-02-28T12:00:00Z',
  address,
  items: Array.from({ length: 10 }, (_, at) => ({ ...item, quantity: at + 1 })),
};

/** Order bodies that are valid, invalid or unusual. */
const bodies: readonly unknown[] = [
  order,
  { ...order, isGift: true, note: '  for you ' },
  { ...order, isGift: true },
  { ...order, isGift: true, note: 'x'.repeat(30) },
  { ...order, items: [{ ...item, quantity: '7' }] },
  { ...order, items: [{ ...item, quantity: 'many' }, { sku: '' }, null, 7] },
  { ...order, items: [] },
  { ...order, items: 'none' },
  { ...order, items: { 0: item } },
  { ...order, address: undefined },
  { ...order, address: { ...address, zip: 'x', country: 'xx' } },
  { ...order, address: [address] },
  { ...order, address: 'Main street' },
  { ...order, more: 1, items: [{ ...item, more: { deep: [1] } }] },
  { ...order, email: 'ann', reference: 'r', dueAt: 'tomorrow' },
  { ...order, toString: 'a', constructor: 'b', hasOwnProperty: 1 },
  { ...order, reference: null, dueAt: null },
  JSON.parse(`{"__proto__":{"polluted":1},"email":"ann@example.org"}`),
  {},
  [],
  [order],
  null,
  'text',
  7,
];

const queries = [
  '',
  '?limit=2',
  '?limit=x',
  '?limit=1e1',
  '?limit=500',
  '?tags=a&tags=b',
  '?tags=a',
  '?more=1',
];

const gets = [
  'orders/7',
  'orders/abc',
  'orders/409',
  'orders/1.5',
  'orders/plain/010?on=true&q=1',
  'orders/plain/x?on=false',
  'orders/plain/7?on=1&q=',
  'orders/views',
  'orders/staff/3',
  'orders/staff/x',
  'orders/closed/3',
  'orders/unknown/path',
  'strict/12?limit=3',
  'strict/12?limit=x&more=1',
  'strict/12?tags=a&tags=b',
];

/** More than a hundred requests. They send every body to each pipe and request each query and path. */
export const requests: readonly Asked[] = [
  ...bodies.flatMap((body): Asked[] => [
    { method: 'POST', path: 'orders', body },
    { method: 'POST', path: 'checked', body },
    { method: 'PUT', path: 'stripped', body },
    { method: 'POST', path: 'strict', body },
  ]),
  ...queries.map((query): Asked => ({ method: 'GET', path: `orders${query}` })),
  ...gets.map((path): Asked => ({ method: 'GET', path })),
  ...[{ code: 'known' }, { code: 'unknown' }, { code: 7 }].map((body): Asked => ({
    method: 'POST',
    path: 'orders/codes',
    body,
  })),
  { method: 'POST', path: 'orders/lists', body: [item, { sku: 7 }] },
  { method: 'POST', path: 'orders/anything', body: { free: [1, { deep: true }] } },
];

/** A response with its status, its headers except the time, and its bytes. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends all {@link requests} in sequence. */
export async function askAll(url: string): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const asked of requests) answers.push(await ask(url, asked));
  return answers;
}

async function ask(url: string, { method, path, body }: Asked): Promise<Answered> {
  const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/${path}`, { method, headers, ...sent });
  const { date: _, ...rest } = Object.fromEntries(response.headers);
  return { status: response.status, headers: rest, body: await response.text() };
}
