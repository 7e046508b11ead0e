import { requestMetrics } from './worker';

describe('a worker', () => {
  it('requests the metrics of all workers, and takes the response of its supervisor', async () => {
    const send = vi.spyOn(process, 'send').mockImplementation(() => {
      process.emit('message', { type: 'of a library' }, undefined);
      process.emit('message', { sluiceMetrics: 'http_requests_in_flight{worker="1"} 0' }, undefined);
      return true;
    });
    expect(await requestMetrics()).toBe('http_requests_in_flight{worker="1"} 0');
    expect(send).toHaveBeenCalledWith('sluice:metrics', undefined, undefined, expect.any(Function));
  });
});
