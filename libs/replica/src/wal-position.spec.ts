import { ForeignReplicaError } from '@app/persistence';
import { lagOf } from './wal-position';

describe('the lag of a replica', () => {
  const target = { system: 'one', timeline: 2, bytes: 1_000 };

  it('is what it lacks of the log', () => {
    expect(lagOf({ ...target, bytes: 900 }, target)).toBe(100);
    expect(lagOf({ ...target, bytes: 1_100 }, target)).toBe(0);
  });

  it('is unknown between timelines: the same position is another log', () => {
    expect(lagOf({ ...target, timeline: 1, bytes: 1_100 }, target)).toBeNaN();
    expect(lagOf(undefined, target)).toBeNaN();
  });

  it('does not exist for a server that is not a standby of the primary', () => {
    expect(() => lagOf({ ...target, bytes: NaN }, target)).toThrow('not a standby');
    expect(() => lagOf({ ...target, system: 'two' }, target)).toThrow(ForeignReplicaError);
  });
});
