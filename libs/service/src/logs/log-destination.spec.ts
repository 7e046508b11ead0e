import { batchLines, type LogDestination } from './log-destination';

describe('batched lines', () => {
  const writes: string[] = [];
  let lines: LogDestination;

  beforeEach(() => {
    vi.useFakeTimers();
    writes.length = 0;
    lines = batchLines({
      write: (text) => writes.push(text),
      flush: (done) => done(),
      reopen: () => undefined,
      on: () => undefined,
    });
  });
  afterEach(() => void vi.useRealTimers());

  it('are written together after a delay, in order', () => {
    lines.batch('a\n');
    lines.batch('b\n');
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(writes).toEqual(['a\nb\n']);
  });

  it('are written with a line that does not wait, before it', () => {
    lines.batch('a\n');
    lines.write('an error\n');
    expect(writes).toEqual(['a\nan error\n']);
  });

  it('are written once they exceed 8 KiB', () => {
    const line = `${'x'.repeat(3 * 1024)}\n`;
    for (let at = 0; at < 4; at++) lines.batch(line);
    expect(writes).toEqual([line.repeat(3)]);
  });

  it('are written when the log is flushed, once', () => {
    const done = vi.fn<() => void>();
    lines.batch('a\n');
    lines.flush(done);
    lines.flush(done);
    vi.advanceTimersByTime(100);
    expect(writes).toEqual(['a\n']);
    expect(done).toHaveBeenCalledTimes(2);
  });
});
