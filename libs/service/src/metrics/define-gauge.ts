import { Gauge, type Registry } from 'prom-client';

/**
 * Defines a metric with a single series, which is read at each scrape.
 *
 * @param read returns `undefined` while there is no value, so that the series is left out
 */
export function defineGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | undefined,
  labels: Readonly<Record<string, string>> = {},
): void {
  void new Gauge({
    name,
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
    collect() {
      const value = read();
      if (value === undefined) this.remove(labels);
      else this.set(labels, value);
    },
  });
}
