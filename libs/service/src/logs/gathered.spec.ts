import { gathering, writeAtLeisure } from './gathered';

describe('lines that may wait', () => {
  const gatheringInto = (written: string[]) => gathering({ write: (text) => written.push(text) });

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

  it('do not grow many: at 64 KiB they go', () => {
    const written: string[] = [];
    const lines = gatheringInto(written);
    lines.gather(`${'x'.repeat(64 * 1024)}\n`);
    expect(written).toHaveLength(1);
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
    writeAtLeisure({ write: (text) => written.push(text) })('a\n');
    expect(written).toEqual(['a\n']);
  });
});
