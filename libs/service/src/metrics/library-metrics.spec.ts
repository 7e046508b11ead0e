import { mailChannels } from '@app/mail';
import { backupChannels } from '../backup/channels';
import { rateLimitChannels } from '../rate-limit/channels';
import { measureLibraries } from './library-metrics';
import { Metrics } from './metrics';

describe('the metrics of backups', () => {
  let metrics: Metrics;
  let stop: () => void;
  beforeEach(() => {
    metrics = new Metrics();
    stop = measureLibraries(metrics);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  const read = (name: string) => new RegExp(`^sluice_backup_${name} (.+)$`, 'm').exec(metrics.render())?.[1];

  it('are absent without a schedule', () => {
    expect(metrics.render()).not.toMatch(/^sluice_backup_(timestamp|lag)/m);
    expect(read('failures_total')).toBe('0');
  });

  it('have the destination, and 0 before the first backup', () => {
    backupChannels.scheduled.publish({ to: '/backups', isContinuous: false });
    expect(read('timestamp_seconds{to="/backups"}')).toBe('0');
    expect(metrics.render()).not.toMatch(/^sluice_backup_lag/m);
    backupChannels.made.publish(new Date(7000));
    expect(read('timestamp_seconds{to="/backups"}')).toBe('7');
  });

  it('have the time since everything was copied, from the start on', () => {
    vi.useFakeTimers({ now: 100_000, toFake: ['Date'] });
    backupChannels.scheduled.publish({ to: '/backups', isContinuous: true });
    vi.setSystemTime(112_000);
    expect(read('lag_seconds{to="/backups"}')).toBe('12');
    backupChannels.covered.publish(new Date(111_000));
    expect(read('lag_seconds{to="/backups"}')).toBe('1');
  });
});

describe('the metric of the server of rate limits', () => {
  it('is absent without one, and whether it took the last counts', () => {
    const metrics = new Metrics();
    onTestFinished(measureLibraries(metrics));
    const read = () => /^sluice_rate_limit_store_up (.+)$/m.exec(metrics.render())?.[1];
    const found = [read()];
    for (const isUp of [false, true]) {
      rateLimitChannels.serverUp.publish(isUp);
      found.push(read());
    }
    expect(found).toEqual([undefined, '0', '1']);
  });
});

describe('the metrics of mails', () => {
  it('count each attempt that failed, from 0 on', () => {
    const metrics = new Metrics();
    const stop = measureLibraries(metrics);
    const deferred = () =>
      /^sluice_mail_failures_total\{outcome="deferred"\} (.+)$/m.exec(metrics.render())?.[1];
    expect(deferred()).toBe('0');
    mailChannels.failed.publish('deferred');
    expect(deferred()).toBe('1');
    stop();
  });
});
