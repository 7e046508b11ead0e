import { channel } from 'node:diagnostics_channel';
import { mailChannels } from '@app/mail';
import { rateLimitChannels } from '../rate-limit/channels';
import { Registry } from 'prom-client';
import { measureLibraries } from './library-metrics';

describe('the metrics of backups', () => {
  let registry: Registry;
  let stop: () => void;
  beforeEach(() => {
    registry = new Registry();
    stop = measureLibraries(registry);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  const read = async (name: string) =>
    new RegExp(`^sluice_backup_${name} (.+)$`, 'm').exec(await registry.metrics())?.[1];

  it('are absent without a schedule', async () => {
    expect(await registry.metrics()).not.toMatch(/^sluice_backup_(timestamp|lag)/m);
    expect(await read('failures_total')).toBe('0');
  });

  it('have the destination, and 0 before the first backup', async () => {
    channel('sluice:backup:scheduled').publish({ to: '/backups', isContinuous: false });
    expect(await read('timestamp_seconds{to="/backups"}')).toBe('0');
    expect(await registry.metrics()).not.toMatch(/^sluice_backup_lag/m);
    channel('sluice:backup:made').publish(new Date(7000));
    expect(await read('timestamp_seconds{to="/backups"}')).toBe('7');
  });

  it('have the time since everything was copied, from the start on', async () => {
    vi.useFakeTimers({ now: 100_000, toFake: ['Date'] });
    channel('sluice:backup:scheduled').publish({ to: '/backups', isContinuous: true });
    vi.setSystemTime(112_000);
    expect(await read('lag_seconds{to="/backups"}')).toBe('12');
    channel('sluice:backup:covered').publish(new Date(111_000));
    expect(await read('lag_seconds{to="/backups"}')).toBe('1');
  });
});

describe('the metric of the server of rate limits', () => {
  it('is absent without one, and whether it took the last counts', async () => {
    const registry = new Registry();
    onTestFinished(measureLibraries(registry));
    const read = async () => /^sluice_rate_limit_store_up (.+)$/m.exec(await registry.metrics())?.[1];
    const values = [await read()];
    for (const isUp of [false, true]) {
      rateLimitChannels.serverUp.publish(isUp);
      values.push(await read());
    }
    expect(values).toEqual([undefined, '0', '1']);
  });
});

describe('the metrics of mails', () => {
  it('count each attempt that failed, from 0 on', async () => {
    const registry = new Registry();
    const stop = measureLibraries(registry);
    const deferred = async () =>
      /^sluice_mail_failures_total\{outcome="deferred"\} (.+)$/m.exec(await registry.metrics())?.[1];
    expect(await deferred()).toBe('0');
    mailChannels.failed.publish('deferred');
    expect(await deferred()).toBe('1');
    stop();
  });
});
