import * as fc from 'fast-check';
import { dateText } from './iso-date';
import { isUnmodified } from './unmodified';
import { quote } from './quote';

describe('a string as JSON text', () => {
  it('is what JSON.stringify writes, whatever the length and the characters', () => {
    const unit = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('a', 'Z', ' ', '0', 'é', '漢', '\u2028', '\u007f') },
      fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\ud800', '\udfff', '😀'),
    );
    const strings = fc.array(unit, { maxLength: 190 }).map((units) => units.join(''));
    const isSame = fc.property(strings, (value) => quote(value) === JSON.stringify(value));
    expect(fc.check(isSame, { numRuns: 20_000 }).counterexample).toBeNull();
  });

  it('is correct for every code unit, alone and at the end of a longer string', () => {
    const units = Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit));
    const values = units.flatMap((unit) => [unit, `${'-'.repeat(40)}${unit}`]);
    expect(values.filter((value) => quote(value) !== JSON.stringify(value))).toEqual([]);
  });
});

describe('a date as JSON text', () => {
  const moments = fc.oneof(
    fc.date({ noInvalidDate: false }).map((date) => date.valueOf()),
    fc.integer({ min: -1e13, max: 1e13 }),
  );

  it('is what JSON.stringify writes', () => {
    const isSame = fc.property(moments, (moment) => dateText(moment) === JSON.stringify(new Date(moment)));
    expect(fc.check(isSame, { numRuns: 40_000 }).counterexample).toBeNull();
  });

  it('is correct at the limits of days, of four-digit years, and of the range of dates', () => {
    const ends = [0, -1, 86_399_999, 86_400_000, -62_167_219_200_000, -62_167_219_200_001];
    const far = [253_402_300_799_999, 253_402_300_800_000, 8.64e15, -8.64e15, 8.64e15 + 1, Number.NaN, 0.5];
    for (const moment of [...ends, ...far]) expect(dateText(moment)).toBe(JSON.stringify(new Date(moment)));
  });
});

describe('the check of the built-in JSON behaviour', () => {
  it('fails after a toJSON was added', () => {
    expect(isUnmodified()).toBe(true);
    for (const changed of [Object, Array, String, Number, Boolean]) {
      Object.defineProperty(changed.prototype, 'toJSON', { value: () => 1, configurable: true });
      expect(isUnmodified()).toBe(false);
      Reflect.deleteProperty(changed.prototype, 'toJSON');
    }
    expect(isUnmodified()).toBe(true);
  });
});
