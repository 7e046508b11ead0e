import { FirstCalls } from './first-calls';

class First {}

class Second {}

describe('the first values of a class', () => {
  it('are left to the libraries, up to a number of each class', () => {
    const first = new FirstCalls(2);
    const calls = [First, First, Second, First, First, Second, Second, First];
    const expected = [true, true, true, false, false, true, false, false];
    expect(calls.map((type) => first.isAmong(type, {}))).toEqual(expected);
  });

  it('end with a list of more elements', () => {
    const first = new FirstCalls(3);
    expect(first.isAmong(First, [1, 2, 3])).toBe(true);
    expect(first.isAmong(Second, [1, 2, 3, 4])).toBe(false);
    expect(first.isAmong(First, {})).toBe(false);
    expect(first.isAmong(Second, {})).toBe(false);
  });

  it('are none without a class, and none if the number is 0', () => {
    expect(new FirstCalls(3).isAmong(undefined, 'text')).toBe(false);
    expect(new FirstCalls(0).isAmong(First, {})).toBe(false);
  });
});
