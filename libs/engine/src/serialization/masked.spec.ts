import * as fc from 'fast-check';
import { mask } from './masked';

describe('a masked value', () => {
  it('shows two characters at both ends', () => {
    expect(mask('sk_live_12345')).toBe('sk***45');
    expect(mask('abcde')).toBe('ab***de');
  });

  it('shows nothing of short values', () => {
    for (const short of ['', 'a', 'abcd']) expect(mask(short)).toBe('***');
  });

  it('does not split a surrogate pair', () => {
    expect(mask('😀😀😀😀😀')).toBe('😀😀***😀😀');
  });

  it('shows the first and last characters of any text', () => {
    const unit = fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀', '\n');
    const texts = fc.array(unit, { maxLength: 9 }).map((units) => units.join(''));
    const isSame = fc.property(texts, (text) => {
      const characters = Array.from(text);
      const ends = `${characters.slice(0, 2).join('')}***${characters.slice(-2).join('')}`;
      return mask(text) === (characters.length > 4 ? ends : '***');
    });
    expect(fc.check(isSame, { numRuns: 20_000 }).counterexample).toBeNull();
  });

  it('hides values that are not strings, and keeps null and undefined', () => {
    expect(mask(123_456)).toBe('***');
    expect(mask({ key: 'secret' })).toBe('***');
    expect(mask(null)).toBeNull();
    expect(mask(undefined)).toBeUndefined();
  });
});
