import { ThrottledLines } from './throttled-lines';

describe('throttled lines', () => {
  const SECOND = 1000;
  let lines: string[];
  let throttled: ThrottledLines;
  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    throttled = new ThrottledLines();
  });
  afterEach(() => void vi.useRealTimers());

  const add = (kind: string, times = 1) => {
    for (let time = 0; time < times; time += 1)
      throttled.add(kind, (count) => lines.push(`${kind} ${count}`));
  };

  it('are one at once, and then one a second with a count', () => {
    add('refused', 500);
    expect(lines).toEqual(['refused 1']);
    vi.advanceTimersByTime(SECOND);
    add('refused', 20);
    vi.advanceTimersByTime(SECOND);
    expect(lines).toEqual(['refused 1', 'refused 499', 'refused 20']);
  });

  it('are counted by kind', () => {
    for (const kind of ['one', 'other', 'one']) add(kind);
    vi.advanceTimersByTime(SECOND);
    expect(lines).toEqual(['one 1', 'other 1', 'one 1']);
  });

  it('start again after a second without any, and leave no timer', () => {
    add('refused');
    vi.advanceTimersByTime(SECOND);
    expect(vi.getTimerCount()).toBe(0);
    add('refused');
    expect(lines).toEqual(['refused 1', 'refused 1']);
  });

  it('are written before the program ends', () => {
    add('refused', 3);
    throttled.flush();
    vi.advanceTimersByTime(SECOND);
    expect(lines).toEqual(['refused 1', 'refused 2']);
  });
});
