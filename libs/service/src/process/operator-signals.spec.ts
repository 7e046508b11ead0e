import { makeLog } from '../logs/open-logs';
import { debugMinutes, TemporaryDebug } from './operator-signals';

describe('SIGUSR2', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open() {
    const lines: { msg: string; to?: string }[] = [];
    const log = makeLog('api', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    return { log, lines, debugging: new TemporaryDebug(log) };
  }

  it('has a program log at debug, for a quarter of an hour', () => {
    const { log, lines, debugging } = open();
    log.debug('before');
    debugging.toggle();
    log.debug('during');
    vi.advanceTimersByTime(debugMinutes * 60_000);
    log.debug('after');
    expect(lines.map(({ msg, to }) => [msg, to])).toEqual([
      ['log level changed', 'debug'],
      ['during', undefined],
      ['log level changed', 'info'],
    ]);
  });

  it('ends that when it is sent again', () => {
    const { log, lines, debugging } = open();
    debugging.toggle();
    debugging.toggle();
    log.debug('after');
    vi.advanceTimersByTime(debugMinutes * 60_000);
    expect(lines.map(({ to }) => to)).toEqual(['debug', 'info']);
  });
});
