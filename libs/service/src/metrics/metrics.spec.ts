import { Metrics } from './metrics';

describe('metrics as text', () => {
  it('have a help and a type, and a line for each series', () => {
    const metrics = new Metrics();
    metrics.counter('hits_total', 'Hits.', { route: '/a' }).add();
    metrics.counter('hits_total', 'Hits.', { route: '/a' }).add(2);
    metrics.counter('hits_total', 'Hits.', { route: '/b' }).add();
    metrics.gauge('load', 'Load.', () => 0.5);
    metrics.gauge('unknown', 'Not known yet.', () => undefined);
    expect(metrics.render()).toBe(`# HELP hits_total Hits.
# TYPE hits_total counter
hits_total{route="/a"} 3
hits_total{route="/b"} 1
# HELP load Load.
# TYPE load gauge
load 0.5
# HELP unknown Not known yet.
# TYPE unknown gauge
`);
  });

  it('have cumulative buckets, a sum and a count of each histogram', () => {
    const metrics = new Metrics();
    const histogram = metrics.histogram('seconds', 'Time.', [0.1, 1], { method: 'GET' });
    for (const seconds of [0.1, 0.5, 0.5, 4]) histogram.observe(seconds);
    expect(metrics.render()).toBe(`# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{method="GET",le="0.1"} 1
seconds_bucket{method="GET",le="1"} 3
seconds_bucket{method="GET",le="+Inf"} 4
seconds_sum{method="GET"} 5.1
seconds_count{method="GET"} 4
`);
  });

  it('escape what a label value may not contain', () => {
    const metrics = new Metrics();
    metrics.counter('odd_total', 'Odd.', { value: 'a"b\\c\nd' }).add();
    expect(metrics.render()).toContain(String.raw`odd_total{value="a\"b\\c\nd"} 1`);
  });
});
