import * as fc from 'fast-check';
import { isDeeperThan } from './json-depth';

describe('the depth of a JSON text', () => {
  it.each([
    ['1', 0],
    ['""', 0],
    ['{}', 1],
    ['[[]]', 2],
    ['{"a":[1,{"b":2}],"c":[]}', 3],
    ['["[[[["]', 1],
    ['["\\"[[[["]', 1],
    ['["\\\\",[[]]]', 3],
    ['["\\\\\\"[[",[]]', 2],
    ['{"[":{"{":"]"}}', 2],
  ])('of %s is %i', (json, depth) => {
    expect(depthOf(JSON.parse(json))).toBe(depth);
    expect(isDeeperThan(depth, json)).toBe(false);
    expect(isDeeperThan(depth - 1, json)).toBe(depth > 0);
  });

  it('equals the depth of the parsed value, for any JSON', () => {
    fc.assert(
      fc.property(bracketJson, fc.nat(6), (json, limit) => {
        expect(isDeeperThan(limit, json)).toBe(depthOf(JSON.parse(json)) > limit);
      }),
      { numRuns: 2000 },
    );
  });

  it('equals what a character-by-character reader counts, in JSON with one random change', () => {
    fc.assert(
      fc.property(
        bracketJson,
        fc.nat(),
        fc.constantFrom('"', '\\', '[', ']', '{', '}', ''),
        fc.nat(6),
        (json, at, put, limit) => {
          const place = at % (json.length + 1);
          const changed = json.slice(0, place) + put + json.slice(place + (at % 2));
          expect(isDeeperThan(limit, changed)).toBe(deepestIn(changed) > limit);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['escaped quotes', `"${'\\"'.repeat(50_000)}`],
    ['backslashes', `"${'\\'.repeat(100_000)}`],
    ['pairs of backslashes and quotes', '"\\\\'.repeat(33_000)],
  ])('of 100 KB of %s is found in linear time', (_, json) => {
    const startedAt = performance.now();
    for (let round = 0; round < 10; round++) isDeeperThan(Number.POSITIVE_INFINITY, json);
    // A quadratic scan of this length takes minutes; a linear one some milliseconds.
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

/** JSON full of the characters that matter here, with and without spaces. */
const bracketJson = fc
  .tuple(
    fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', '}', ']', 'ä'), maxLength: 6 }),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string({ unit: fc.constantFrom('[', '{', '"', '\\') }), tie('value'), {
          maxKeys: 3,
        }),
      ),
    })).value,
    fc.constantFrom(undefined, 1),
  )
  .map(([value, indent]) => JSON.stringify(value, null, indent));

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The deepest level in a text, by the simplest algorithm. */
function deepestIn(json: string): number {
  let [level, deepest, isInString, isEscaped] = [0, 0, false, false];
  for (const character of json) {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++level);
    else if (character === ']' || character === '}') level--;
  }
  return deepest;
}
