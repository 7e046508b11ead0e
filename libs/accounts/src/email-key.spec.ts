import fc from 'fast-check';
import { emailKey } from './email-key';

const [last, surrogates] = [0x10ffff, [0xd800, 0xdfff]];

describe('the normal form of an e-mail (D36)', () => {
  it.each([
    ['case', 'Ada@Example.COM', 'ada@example.com'],
    ['composition', 'jose\u0301@example.com', 'JOS\u00c9@example.com'],
    ['the sign of Kelvin', '\u212aate@example.com', 'kate@example.com'],
    ['a long s', 'mi\u017fs@example.com', 'miss@example.com'],
    ['a sharp s', 'stra\u00dfe@example.com', 'STRASSE@example.com'],
    ['a sigma at the end', '\u03bf\u03b4\u03bf\u03c2@example.com', '\u039f\u0394\u039f\u03a3@example.com'],
    ['the width of letters', '\uff41da@example.com', 'ada@example.com'],
    ['the spelling of a domain', 'ada@B\u00dcCHER.example', 'ada@xn--bcher-kva.example'],
    ['a dot of another script', 'ada@b\u00fccher\u3002example', 'ada@b\u00fccher.example'],
  ])('ignores %s', (_, spelling, sameEmail) => {
    expect(emailKey(spelling)).toBe(emailKey(sameEmail));
  });

  it('keeps every other difference', () => {
    const others = ['a.da@example.com', ' ada@example.com', 'ada+1@example.com', '\u0430da@example.com'];
    for (const email of others) expect(emailKey(email)).not.toBe(emailKey('ada@example.com'));
    const odd = 'b\u00fc@ex%61mple.com';
    for (const text of ['b\u00fc@example.com/x', 'b\u00fc@example.com:80', odd])
      expect(emailKey(text)).not.toBe(emailKey('b\u00fc@example.com'));
  });

  it('merges whatever Unicode folds into one letter', () => {
    const letters = Array.from({ length: last + 1 }, (_, at) => at)
      .filter((at) => at < surrogates[0] || at > surrogates[1])
      .map((at) => String.fromCodePoint(at))
      .filter((letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter);
    const different = letters.filter((letter) => {
      const folds = [letter.toLowerCase(), letter.toUpperCase()];
      return folds.some((fold) => emailKey(`${fold}@example.com`) !== emailKey(`${letter}@example.com`));
    });
    expect(letters.length).toBeGreaterThan(2_500);
    expect(different).toEqual([]);
  });

  it('rejects text that cannot be stored', () => {
    for (const text of ['a\0b@example.com', '\ud800@example.com', `${'a'.repeat(320)}@example.com`]) {
      expect(emailKey(text)).toBeUndefined();
    }
  });

  it.each(['@<\u0338', 'a\uff20b@\u00e9.example', '@\uff1c\u0338'])('is idempotent for %j', (email) => {
    const key = emailKey(email) ?? '';
    expect(emailKey(key)).toBe(key);
  });

  it('is idempotent', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 20 })),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const key = emailKey(typeof text === 'string' ? text : text.join('@'));
        expect(key === undefined || emailKey(key) === key).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
