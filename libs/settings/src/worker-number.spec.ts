import { isFirstWorker, workerNumber } from './worker-number';

describe('the number of a worker', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('is that which its supervisor gave it; the first one does what one of them does', () => {
    vi.stubEnv('SLUICE_WORKER', '1');
    expect([workerNumber(), isFirstWorker()]).toEqual([1, true]);
    vi.stubEnv('SLUICE_WORKER', '2');
    expect([workerNumber(), isFirstWorker()]).toEqual([2, false]);
  });

  it('is none for a program of one process, which does all of it', () => {
    expect([workerNumber(), isFirstWorker()]).toEqual([undefined, true]);
  });
});
