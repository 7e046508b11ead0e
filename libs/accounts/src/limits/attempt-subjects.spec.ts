import { accountSubject, addressSubject } from './attempt-subjects';

describe('an address', () => {
  it.each([
    ['192.0.2.7', 'address:192.0.2.7'],
    ['::ffff:192.0.2.7', 'address:192.0.2.7'],
    ['::FFFF:c000:0207', 'address:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::ffff', 'address:2001:db8:1:2::/64'],
    ['2001:db8::1', 'address:2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
    ['::1', 'address:0:0:0:0::/64'],
    ['::', 'address:0:0:0:0::/64'],
    ['1::', 'address:1:0:0:0::/64'],
    ['no address', 'address:unknown'],
    ['', 'address:unknown'],
    ['192.0.2.7, 192.0.2.8', 'address:unknown'],
  ])('%s counts as %s', (ip, subject) => {
    expect(addressSubject(ip)).toBe(subject);
  });
});

describe('a username', () => {
  it('is the subject of that e-mail, in any case', () => {
    expect(accountSubject('ADA@example.com')).toBe(accountSubject('ada@example.com'));
    expect(accountSubject('ada@example.com')).not.toBe(accountSubject('bob@example.com'));
  });

  it('is hashed, because it may be a password', () => {
    expect(accountSubject('hunter2')).toMatch(/^account:[\w-]{43}$/);
  });

  it('may be malformed', () => {
    for (const name of ['', 'a\0b', '\ud800', 'x'.repeat(100_000)]) {
      expect(accountSubject(name)).toMatch(/^account:[\w-]{43}$/);
    }
  });
});
