import { bufferLines, writeBuffered } from './buffered-stream';

describe('lines that may wait', () => {
  const gatheringInto = (written: string[]) => bufferLines({ write: (text) => written.push(text) });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('go out together after a moment, in order', () => {
    const written: string[] = [];
    const lines = gatheringInto(written);
    lines.gather('a\n');
    lines.gather('b\n');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(written).toEqual(['a\nb\n']);
  });

  it('go out before a line that may not', () => {
    const written: string[] = [];
    const lines = gatheringInto(written);
    lines.gather('a\n');
    lines.write('an error\n');
    expect(written.join('')).toBe('a\nan error\n');
  });

  it('do not grow many: before they are more than 64 KiB, those that wait go', () => {
    const written: string[] = [];
    const lines = gatheringInto(written);
    const line = `${'x'.repeat(10 * 1024)}\n`;
    for (let at = 0; at < 7; at++) lines.gather(line);
    expect(written.join('').length).toBeGreaterThanOrEqual(4 * line.length);
    lines.handOn();
    expect(written.join('')).toBe(line.repeat(7));
  });

  it('go at once when one alone is longer than may wait, behind those that do', () => {
    const written: string[] = [];
    const lines = gatheringInto(written);
    const long = `${'x'.repeat(64 * 1024)}\n`;
    lines.gather('a\n');
    lines.gather(long);
    expect(written).toEqual(['a\n', long]);
  });

  it('are the same characters afterwards', () => {
    const written: string[] = [];
    const lines = gatheringInto(written);
    lines.gather('Zoë 😀\n');
    lines.gather('€\n');
    lines.handOn();
    expect(written.join('')).toBe('Zoë 😀\n€\n');
  });

  it('are handed on when somebody asks, and nothing is when nothing waits', () => {
    const written: string[] = [];
    const lines = gatheringInto(written);
    lines.gather('a\n');
    lines.handOn();
    lines.handOn();
    vi.advanceTimersByTime(100);
    expect(written).toEqual(['a\n']);
  });

  it('do not wait on a stream that knows nothing of waiting', () => {
    const written: string[] = [];
    writeBuffered({ write: (text) => written.push(text) })('a\n');
    expect(written).toEqual(['a\n']);
  });
});
