import { mergeMetrics } from './merge-metrics';
import { Metrics } from './metrics';

function workerWith(requests: number): string {
  const metrics = new Metrics();
  metrics.counter('requests_total', 'Requests.', { route: '/users/{id}' }).add(requests);
  metrics.gauge('draining', 'Whether it drains.', () => 0);
  return metrics.render();
}

describe('the metrics of several workers', () => {
  it('are one text, in which each series has the number of its worker', () => {
    const texts = new Map([
      [1, workerWith(3)],
      [2, workerWith(4)],
    ]);
    expect(mergeMetrics(texts).split('\n')).toEqual([
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{route="/users/{id}",worker="1"} 3',
      'requests_total{route="/users/{id}",worker="2"} 4',
      '# HELP draining Whether it drains.',
      '# TYPE draining gauge',
      'draining{worker="1"} 0',
      'draining{worker="2"} 0',
      '',
    ]);
  });
});
