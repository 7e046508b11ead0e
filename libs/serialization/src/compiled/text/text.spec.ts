import * as fc from 'fast-check';
import { isoDate } from './iso-date';
import { isPristine } from './pristine';
import { quote } from './quote';

describe('a string as JSON text', () => {
  it('is what JSON.stringify writes, whatever the length and the characters', () => {
    const unit = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('a', 'Z', ' ', '0', 'é', '漢', '\u2028', '\u007f') },
      fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\ud800', '\udfff', '😀'),
    );
    const strings = fc.array(unit, { maxLength: 190 }).map((units) => units.join(''));
    fc.assert(
      fc.property(strings, (value) => quote(value) === JSON.stringify(value)),
      { numRuns: 20_000 },
    );
  });

  it('is right for every single code unit', () => {
    for (let unit = 0; unit < 0x1_00_00; unit++) {
      const value = String.fromCharCode(unit);
      if (quote(value) !== JSON.stringify(value)) expect(quote(value)).toBe(JSON.stringify(value));
      const longer = `${'-'.repeat(40)}${value}`;
      if (quote(longer) !== JSON.stringify(longer)) expect(quote(longer)).toBe(JSON.stringify(longer));
    }
  });
});

describe('a date as JSON text', () => {
  const same = (moment: number) => isoDate(moment) === JSON.stringify(new Date(moment));

  it('is what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: false }), (date) => same(date.valueOf())),
      { numRuns: 20_000 },
    );
    fc.assert(fc.property(fc.integer({ min: -1e13, max: 1e13 }), same), { numRuns: 20_000 });
  });

  it('holds at the ends: of days, of four-digit years, of time itself', () => {
    const ends = [0, -1, 86_399_999, 86_400_000, -62_167_219_200_000, -62_167_219_200_001];
    const far = [253_402_300_799_999, 253_402_300_800_000, 8.64e15, -8.64e15, 8.64e15 + 1, Number.NaN, 0.5];
    for (const moment of [...ends, ...far]) expect([moment, same(moment)]).toEqual([moment, true]);
  });
});

describe('the language’s own JSON', () => {
  it('is noticed to be changed when something gains a toJSON', () => {
    expect(isPristine()).toBe(true);
    for (const changed of [Object, Array, String, Number, Boolean]) {
      Object.defineProperty(changed.prototype, 'toJSON', { value: () => 1, configurable: true });
      expect(isPristine()).toBe(false);
      Reflect.deleteProperty(changed.prototype, 'toJSON');
    }
    expect(isPristine()).toBe(true);
  });
});
