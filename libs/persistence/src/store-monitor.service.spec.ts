import { Logger } from '@nestjs/common';
import { openDatabase } from './database/database';
import { type ReplicaHealth } from './dialects/connecting';
import { type StoreHealth } from './dialects/store-health';
import { StoreFaultError, StoreUnavailableError } from './errors';
import { StoreMonitor } from './store-monitor.service';

describe('the monitor of the store', () => {
  const db = openDatabase('sqlite:./never-opened.db');
  const lines: string[] = [];
  let monitor: StoreMonitor;

  beforeEach(() => {
    vi.useFakeTimers();
    for (const level of ['log', 'error', 'fatal'] as const)
      vi.spyOn(Logger.prototype, level).mockImplementation((line) => lines.push(`${level} ${String(line)}`));
    monitor = new StoreMonitor(db);
    monitor.onApplicationBootstrap();
  });
  afterEach(() => {
    monitor.onApplicationShutdown();
    vi.restoreAllMocks();
    vi.useRealTimers();
    lines.length = 0;
  });

  it('logs a fault once, within a second', async () => {
    healthIs({ state: 'unavailable', error: new StoreFaultError('the file is gone') });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lines).toEqual(['fatal store unavailable: the file is gone']);

    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(1);
  });

  it('logs the cause, and that the store is available again', async () => {
    const cause = new Error('password authentication failed');
    healthIs({ state: 'unavailable', error: new StoreUnavailableError('not accepted', { cause }) });
    await vi.advanceTimersByTimeAsync(1_000);
    healthIs({ state: 'read-only', error: new StoreUnavailableError('the disk is full') });
    await vi.advanceTimersByTimeAsync(1_000);
    healthIs({ state: 'ok' });
    await vi.advanceTimersByTimeAsync(1_000);

    expect(lines).toEqual([
      'error store unavailable: not accepted: password authentication failed',
      'error store is read-only: store unavailable: the disk is full',
      'log store available',
    ]);
  });

  it('logs once that the replica cannot be used, and that it can again', async () => {
    replicaIs({ state: 'lagging', error: new StoreUnavailableError('the replica lags') });
    await vi.advanceTimersByTimeAsync(60_000);
    replicaIs({ state: 'ok' });
    await vi.advanceTimersByTimeAsync(60_000);

    expect(lines).toEqual([
      'error replica unavailable, falling back to primary: store unavailable: the replica lags',
      'log replica available',
    ]);
  });

  it('stops with the program', async () => {
    healthIs({ state: 'unavailable', error: new StoreFaultError('the file is gone') });
    monitor.onApplicationShutdown();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toEqual([]);
  });

  function replicaIs(health: ReplicaHealth): void {
    healthIs({ state: 'ok' });
    vi.spyOn(db, 'checkReplica').mockResolvedValue(health);
  }

  function healthIs(health: StoreHealth): void {
    vi.spyOn(db, 'check').mockResolvedValue(health);
  }
});
