import { type Setting, count, milliseconds, orOff, rate, seconds } from './grammar';

/** The value of a text, or what is wrong with it. */
function read<Value>(schema: Setting<Value>, text: string): unknown {
  const { data, error } = schema.safeParse(text);
  return error ? error.issues.map(({ message }) => message).join('; ') : data;
}

describe('a duration', () => {
  const lifetime = seconds({ from: '1s', to: '1d' });

  it.each([
    ['60s', 60],
    ['15m', 900],
    ['1h', 3600],
    ['1d', 86_400],
    ['5000ms', 5],
  ])('%s is %i seconds', (text, value) => expect(read(lifetime, text)).toBe(value));

  it('is in milliseconds for what is shorter', () => {
    expect(read(milliseconds({ from: '10ms', to: '60s' }), '250ms')).toBe(250);
  });

  it.each(['0s', '2d', '1.5s', '500ms', '', 's', '60 s', '1w', '-1s', '60S'])('is not %j', (text) => {
    expect(read(lifetime, text)).toBe('must be a duration such as 1s, from 1s to 1d');
  });

  it('has a unit, and the error for a bare number shows the forms', () => {
    expect(read(lifetime, '60')).toBe('must be a duration with its unit, from 1s to 1d: 60s or 60m');
  });
});

describe('a rate', () => {
  it('is a number in a period', () => {
    expect(read(rate(), '5/1h')).toEqual({ limit: 5, windowSeconds: 3600 });
    expect(read(rate(), '5')).toBe('must be a number in a period of up to a day, such as 600/1m');
  });
});

describe('off', () => {
  it('is false', () => expect(read(orOff(rate()), 'off')).toBe(false));

  it('is accepted beside the values of the other setting, whose error names it', () => {
    const limit = orOff(count({ from: 1, to: 10 }));
    expect([read(limit, '3'), read(limit, '11')]).toEqual([3, 'must be off, or a whole number from 1 to 10']);
  });
});
