import { Gauge, type Registry } from 'prom-client';

/**
 * Defines a metric with one series, which is read when it is scraped.
 *
 * @param read `undefined` while there is no value; the series is left out then
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
