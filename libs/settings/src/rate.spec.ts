import { rateText, readRate } from './rate';

describe('a rate', () => {
  it.each([
    ['600/1m', { limit: 600, windowSeconds: 60 }],
    ['10/30s', { limit: 10, windowSeconds: 30 }],
    ['1/1d', { limit: 1, windowSeconds: 86_400 }],
  ])('is read from %s, and written the same', (text, rate) => {
    expect(readRate(text)).toEqual(rate);
    expect(rateText(rate)).toBe(text);
  });

  it('is written in its shortest form', () => {
    expect(rateText({ limit: 5, windowSeconds: 7200 })).toBe('5/2h');
    expect(rateText({ limit: 5, windowSeconds: 90 })).toBe('5/90s');
  });

  it.each(['', '600', '600/m', '0/1m', '5/0s', '5/2d', '-1/1m', '5/1w', '1e3/1m'])('is not %j', (text) => {
    expect(readRate(text)).toBeUndefined();
  });
});
