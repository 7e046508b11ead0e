import { valkeySettings } from './valkey.plugin';

const { RATE_LIMIT_STORE: store } = valkeySettings;

describe('the store of rate limits', () => {
  it('is that of the program by default', () => {
    expect(store.parse(undefined)).toBe('store');
  });

  it.each([
    'store',
    'valkey://127.0.0.1',
    'valkeys://sluice:p%40ss@valkey.example:6380/2',
    'redis://:only-a-password@localhost:6379',
    'rediss://[::1]:6379/',
  ])('may be %s', (text) => expect(store.parse(text)).toBe(text));

  it.each([
    'valkey',
    'memory',
    'valkey:/host',
    'valkey://',
    'http://127.0.0.1',
    'redis://host/name',
    'redis://host/0?timeout=1',
    'redis://host:99999',
    'redis://:100%@host',
    'redis://:%ff@host',
    'redis://one,two',
  ])('is not %s', (text) => {
    expect(store.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      'must be store, or valkey://user:password@host:port/database (valkeys:, redis: or rediss:)',
    ]);
  });
});
