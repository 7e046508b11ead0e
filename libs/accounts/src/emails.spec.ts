import fc from 'fast-check';
import { emailKey } from './emails';

describe('emailKey', () => {
  it('ignores case and Unicode composition', () => {
    expect(emailKey('Ada@Example.COM')).toBe('ada@example.com');
    expect(emailKey('jose\u0301@example.com')).toBe(emailKey('JOS\u00c9@example.com'));
  });

  it('keeps every other difference', () => {
    expect(emailKey('a.da@example.com')).not.toBe(emailKey('ada@example.com'));
    expect(emailKey(' ada@example.com')).not.toBe(emailKey('ada@example.com'));
  });

  it('rejects text that cannot be stored', () => {
    for (const text of ['a\0b@example.com', '\ud800@example.com', `${'a'.repeat(320)}@example.com`]) {
      expect(emailKey(text)).toBeUndefined();
    }
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const key = emailKey(text);
        expect(key === undefined || emailKey(key) === key).toBe(true);
      }),
    );
  });
});
