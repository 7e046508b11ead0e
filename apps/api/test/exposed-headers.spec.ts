import { bootApi } from '../testing/boot-api';

const origin = 'https://app.example.com';
/** Pages of every origin may read these. */
const safelisted = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]);

describe('a page of an allowed origin', () => {
  const api = bootApi({ env: { CORS_ORIGINS: origin } });

  it('may read every response header that the OpenAPI document describes', async () => {
    const { json, headers } = await api().with({ origin }).get('/openapi.json');
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
    const described = new Set(headersIn(json));
    expect(described.size).toBeGreaterThan(5);
    expect([...described].filter((name) => !safelisted.has(name) && !exposed.includes(name))).toEqual([]);
  });
});

/** The names of all response headers of a document, in lower case. */
function headersIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = Object.keys(Object(Reflect.get(part, 'headers'))).map((name) => name.toLowerCase());
  return own.concat(Object.values(part).flatMap(headersIn));
}
