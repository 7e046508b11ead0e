import { isEmail as libraryIsEmail } from 'class-validator';
import fc from 'fast-check';
import { emailTest } from './email';

/** The permitted and forbidden parts of an address. */
const parts = fc.oneof(
  fc.constantFrom(
    'a',
    'Z',
    '0',
    '.',
    '@',
    '-',
    '_',
    '+',
    'xn--',
    'com',
    'example.org',
    '@example.org',
    '.c',
    'xn',
  ),
  fc.constantFrom(...Array.from('"\'`{|}~!#$%&*/=?^ ()[],:;<>\\')),
  fc.constantFrom('é', '\t', '\u007f', '\0', '😀', '\ud800', 'ſ', 'K'),
  fc.constantFrom('x'.repeat(60), 'b'.repeat(63), 'a.b-c@d-e.f-g.hij', 'q@1.2.xn--p1ai', 'a@b.c1', 'a@x.xn'),
);
const text = fc.array(parts, { maxLength: 8 }).map((all) => all.join(''));
const nearlyAnAddress = fc
  .tuple(fc.emailAddress(), parts, fc.nat(), fc.nat(1))
  .map(([address, part, at, removed]) => {
    const from = at % (address.length + 1);
    return `${address.slice(0, from)}${part}${address.slice(from + removed)}`;
  });

/** The library throws for some of them. */
const resultOf = (test: (value: string) => boolean | undefined, value: string) => {
  try {
    return test(value);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('IsEmail', () => {
  it('accepts and refuses the same strings as the library', () => {
    const test = emailTest.test!([])!;
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), nearlyAnAddress, text), (value) => {
        expect([value, resultOf(test, value)]).toEqual([value, resultOf(libraryIsEmail, value)]);
      }),
      { numRuns: 5000 },
    );
  });

  it('is compiled for options into which the library has written its defaults, and for no others', () => {
    const written = {};
    libraryIsEmail('ann@example.org', written);
    expect(Object.keys(written).length).toBeGreaterThan(3);
    const compiled = emailTest.test!([]);
    expect(emailTest.test!([{}])).toBe(compiled);
    expect(emailTest.test!([written])).toBe(compiled);
    for (const options of [
      { require_tld: false },
      { ...written, require_tld: false },
      Object.freeze({}),
      null,
    ])
      expect(emailTest.test!([options])).not.toBe(compiled);
  });
});
