import { bufferLines, writeBuffered } from './buffered-stream';

describe('buffered lines', () => {
  const bufferingInto = (written: string[]) =>
    bufferLines({ write: (bytes) => written.push(Buffer.from(bytes).toString()) });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are written together after a delay, in order', () => {
    const written: string[] = [];
    const lines = bufferingInto(written);
    lines.buffer('a\n');
    lines.buffer('b\n');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(written).toEqual(['a\nb\n']);
  });

  it('are written before an unbuffered line', () => {
    const written: string[] = [];
    const lines = bufferingInto(written);
    lines.buffer('a\n');
    lines.write('an error\n');
    expect(written.join('')).toBe('a\nan error\n');
  });

  it('are flushed before they exceed 64 KiB', () => {
    const written: string[] = [];
    const lines = bufferingInto(written);
    const line = `${'x'.repeat(10 * 1024)}\n`;
    for (let at = 0; at < 7; at++) lines.buffer(line);
    expect(written.join('').length).toBeGreaterThanOrEqual(4 * line.length);
    lines.flush();
    expect(written.join('')).toBe(line.repeat(7));
  });

  it('are followed at once by a line that is longer than the buffer', () => {
    const written: string[] = [];
    const lines = bufferingInto(written);
    const long = `${'x'.repeat(64 * 1024)}\n`;
    lines.buffer('a\n');
    lines.buffer(long);
    expect(written).toEqual(['a\n', long]);
  });

  it('keep characters outside of ASCII', () => {
    const written: string[] = [];
    const lines = bufferingInto(written);
    lines.buffer('Zoë 😀\n');
    lines.buffer('€\n');
    lines.flush();
    expect(written.join('')).toBe('Zoë 😀\n€\n');
  });

  it('are flushed on demand, once', () => {
    const written: string[] = [];
    const lines = bufferingInto(written);
    lines.buffer('a\n');
    lines.flush();
    lines.flush();
    vi.advanceTimersByTime(100);
    expect(written).toEqual(['a\n']);
  });

  it('are buffered by a stream that has a buffer', () => {
    const written: string[] = [];
    writeBuffered(bufferingInto(written))('a\n');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(written).toEqual(['a\n']);
  });

  it('are written at once to a stream without a buffer', () => {
    const written: string[] = [];
    writeBuffered({ write: (text) => written.push(text) })('a\n');
    expect(written).toEqual(['a\n']);
  });
});
