import { compareRules } from './compare-rules';

/** Whether a member accepts more after its rules have changed. */
function isWider(before: string, after: string): boolean | undefined {
  return compareRules('body.name', [before], [after])[0]?.isWider;
}

describe('changed rules', () => {
  it.each([
    ['isLength(2,5)', 'isLength(2)'],
    ['isLength(2,5)', 'isLength(1,5)'],
    ['isLength(2,5)', 'isLength(2,6)'],
    ['isLength(2,5)', 'isLength(3,6)'],
    ['min(1)', 'min(0)'],
    ['each maxLength(5)', 'each maxLength(6)'],
    ['isIn(["a"])', 'isIn(["a","b"])'],
    ['ownRule(1)', 'ownRule(2)'],
  ])('from %s to %s accept more, or might', (before, after) => {
    expect(isWider(before, after)).toBe(true);
  });

  it.each([
    ['isLength(2)', 'isLength(2,5)'],
    ['isLength(2,5)', 'isLength(3,4)'],
    ['min(0)', 'min(1)'],
    ['each maxLength(6)', 'each maxLength(5)'],
    ['isIn(["a","b"])', 'isIn(["b"])'],
  ])('from %s to %s accept less', (before, after) => {
    expect(isWider(before, after)).toBe(false);
  });
});
