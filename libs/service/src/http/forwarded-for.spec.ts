import { withoutPorts } from './forwarded-for';

describe('X-Forwarded-For', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['192.0.2.1:4711, 10.0.0.1', '192.0.2.1, 10.0.0.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1,192.0.2.1:80', '2001:db8::1, 192.0.2.1'],
    ['unknown:1', 'unknown:1'],
  ])('%s names %s', (sent, addresses) => {
    expect(withoutPorts(sent)).toBe(addresses);
  });
});
