import { Remembered } from './remembered';

describe('a bounded memory', () => {
  it('gives back what was put in', () => {
    const memory = new Remembered<number>(4);
    memory.set('a', 1);
    expect(memory.get('a')).toBe(1);
    expect(memory.get('b')).toBeUndefined();
  });

  it('never holds more than it may', () => {
    const memory = new Remembered<number>(10);
    for (let n = 0; n < 1000; n++) {
      memory.set(`${n}`, n);
      expect(memory.size).toBeLessThanOrEqual(10);
    }
  });

  it('keeps what is asked for, while others come and go', () => {
    const memory = new Remembered<number>(4);
    memory.set('kept', 1);
    for (let n = 0; n < 100; n++) {
      memory.set(`${n}`, n);
      expect(memory.get('kept')).toBe(1);
    }
    expect(memory.get('0')).toBeUndefined();
  });
});
