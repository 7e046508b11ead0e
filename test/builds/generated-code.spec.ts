import { withoutSpaces } from '../../tools/pack/engine/generated-code.mts';

describe('the texts of generated code in the package of the engine', () => {
  it.each([
    ['  const a = b;\\n    if (a === 1) return;', ' const a=b;\\nif(a===1)return;'],
    ['for (const key in value) { a ? b : [c, d] }', 'for(const key in value){a?b:[c,d]}'],
    [' instanceof ', ' instanceof '],
  ])('lose the spaces that separate no words: %j', (text, short) => {
    expect(withoutSpaces(text)).toBe(short);
  });

  it.each(["'a = b,  c'", 'a - -b', 'a + +b', 'a / b', 'a in b', 'typeof a', 'else a'])(
    'keep others: %j',
    (text) => {
      expect(withoutSpaces(text)).toBe(text);
    },
  );
});
