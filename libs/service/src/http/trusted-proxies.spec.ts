import { readTrustedProxies } from './trusted-proxies';

describe('trusted proxies', () => {
  it.each([
    ['off', false],
    ['loopback', ['loopback']],
    ['192.0.2.1', ['192.0.2.1']],
    ['loopback, 10.0.0.0/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
  ])('can be %s', (text, proxies) => {
    expect(readTrustedProxies(text)).toEqual(proxies);
  });

  it.each([
    'true',
    '*',
    '0',
    '11',
    '-1',
    '',
    'loopback,',
    'proxy.example.com',
    '10.0.0.0/33',
    '::/0',
    '0.0.0.0/0',
  ])('cannot be %j', (text) => {
    expect(readTrustedProxies(text)).toBeUndefined();
  });
});
