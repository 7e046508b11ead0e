import type { RouteDescription } from '@app/contract';
import { describeRoutes } from '@app/service';
import fc from 'fast-check';
import { bootApi } from '../testing/boot-api';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1e400',
    '9'.repeat(30),
    'null',
    '\0',
    '../..',
    '%00',
    "' or 1=1 --",
    '__proto__',
  ),
);
const fields = fc.constantFrom(
  'email',
  'password',
  'username',
  'items',
  'sku',
  'quantity',
  'price',
  'slug',
  'name',
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constantFrom(2 ** 53, -0, 1e308, 'a@example.com', [[]], [null], { length: -1 }),
);
const body = fc.oneof(fc.dictionary(fc.oneof(fields, text), value, { maxKeys: 6 }), value);

describe('hostile input', () => {
  const api = bootApi();

  it('never causes a 5xx, on any route', async () => {
    const authorization = `Bearer ${await api.tokenOf({})}`;
    const routes = describeRoutes(api.app());
    const request = fc.record({
      route: fc.constantFrom(...routes),
      part: text,
      query: fc.dictionary(fc.oneof(fc.constantFrom('limit', 'page', 'after'), text), text, { maxKeys: 3 }),
      body,
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ route, part, query, body: payload }) => {
        const { statusCode, body: answer } = await api.app().inject({
          method: route.method as 'GET',
          url: `${pathOf(route, part)}?${new URLSearchParams(query).toString()}`,
          headers: { authorization, 'content-type': 'application/json' },
          payload: JSON.stringify(payload),
        });
        expect([statusCode, answer]).toSatisfy(([status]) => status < 500);
      }),
      { numRuns: 400 },
    );
    expect((await api().get('/health')).status).toBe(200);
  });
});

function pathOf({ path }: RouteDescription, part: string): string {
  return path.replaceAll(/:\w+/g, encodeURIComponent(part.toWellFormed()) || 'x');
}
