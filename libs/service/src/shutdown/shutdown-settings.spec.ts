import { readSettings } from '../settings/read-settings';
import { listenSettings } from '../process/listen-settings';
import { drainDelayOf, shutdownSettings } from './shutdown-settings';

describe('DRAIN_DELAY', () => {
  it.each([
    [{}, 0],
    [{ NODE_ENV: 'production' }, 5000],
    [{ NODE_ENV: 'production', DRAIN_DELAY: '0s' }, 0],
    [{ DRAIN_DELAY: '700ms' }, 700],
  ])('of %j is %i ms', (env, milliseconds) => {
    expect(drainDelayOf(readSettings({ ...listenSettings, ...shutdownSettings }, env))).toBe(milliseconds);
  });
});
