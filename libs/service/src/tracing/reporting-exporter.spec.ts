import type { ExportResult } from '@opentelemetry/core';
import { gatherLog } from '../../testing/gather-log';
import { ReportingExporter } from './reporting-exporter';

describe('a collector that does not take traces', () => {
  const results: ExportResult[] = [];
  const collector = {
    export: (_spans: unknown, done: (result: ExportResult) => void) => done(results.shift() ?? { code: 0 }),
    shutdown: () => Promise.resolve(),
  };

  it('is logged once, and once when it takes them again', () => {
    const { logs, lines } = gatherLog();
    const exporter = new ReportingExporter(collector, 'http://collector/v1/traces', logs.log);
    const refused = { code: 1, error: new Error('connect ECONNREFUSED') };
    results.push(refused, refused, { code: 0 }, { code: 0 }, refused);
    const passedOn: number[] = [];
    for (let count = 0; count < 5; count++) exporter.export([], ({ code }) => passedOn.push(code));

    expect(lines().map(({ level, msg, reason }) => [level, msg, reason])).toEqual([
      ['warn', 'trace export failed', 'connect ECONNREFUSED'],
      ['info', 'trace export resumed', undefined],
      ['warn', 'trace export failed', 'connect ECONNREFUSED'],
    ]);
    expect(passedOn).toEqual([1, 1, 0, 0, 1]);
  });
});
