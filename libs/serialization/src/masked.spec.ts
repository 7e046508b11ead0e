import { mask } from './masked';

describe('a masked value', () => {
  it('shows two characters at either end', () => {
    expect(mask('sk_live_12345')).toBe('sk***45');
    expect(mask('abcde')).toBe('ab***de');
  });

  it('shows nothing where the ends would be all of it', () => {
    for (const short of ['', 'a', 'abcd']) expect(mask(short)).toBe('***');
  });

  it('does not cut a character in two', () => {
    expect(mask('😀😀😀😀😀')).toBe('😀😀***😀😀');
  });

  it('hides what is no text, and keeps what is nothing', () => {
    expect(mask(123_456)).toBe('***');
    expect(mask({ key: 'secret' })).toBe('***');
    expect(mask(null)).toBeNull();
    expect(mask(undefined)).toBeUndefined();
  });
});
