import { Histogram } from './histogram';

/** A number that only grows. */
export class Count {
  value = 0;

  add(by = 1): void {
    this.value += by;
  }
}

/** The labels of a series; values are bounded by the code, never chosen by a client. */
export type Labels = Readonly<Record<string, string>>;

/** A metric that is read when it is scraped, one number per series. */
export type ReadGauge = () => number | undefined;

interface Family {
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** By their labels, as text. */
  readonly series: Map<string, Count | Histogram | ReadGauge>;
}

/**
 * Counters, gauges and histograms, and their text.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export class Metrics {
  private readonly families = new Map<string, Family>();

  /** The counter with these labels; created at its first use. */
  counter(name: string, help: string, labels: Labels = {}): Count {
    return this.seriesOf(name, { help, type: 'counter' }, labels, Count, () => new Count());
  }

  /** The histogram with these labels; created at its first use. @param bounds upper bounds of its buckets, ascending */
  histogram(name: string, help: string, bounds: readonly number[], labels: Labels = {}): Histogram {
    return this.seriesOf(name, { help, type: 'histogram' }, labels, Histogram, () => new Histogram(bounds));
  }

  /** @param read `undefined` while there is no value; it is left out then */
  gauge(name: string, help: string, read: ReadGauge, labels: Labels = {}): void {
    this.familyOf(name, { help, type: 'gauge' }).series.set(textOf(labels), read);
  }

  /** Like {@link gauge}, for a number that only grows and is counted elsewhere. */
  total(name: string, help: string, read: ReadGauge): void {
    this.familyOf(name, { help, type: 'counter' }).series.set('', read);
  }

  /** All metrics as text, one line per number. */
  render(): string {
    return [...this.families].map(([name, family]) => renderFamily(name, family)).join('');
  }

  private seriesOf<Series extends Count | Histogram>(
    name: string,
    described: Omit<Family, 'series'>,
    labels: Labels,
    kind: abstract new (...args: never[]) => Series,
    make: () => Series,
  ): Series {
    const { series } = this.familyOf(name, described);
    const key = textOf(labels);
    const known = series.get(key);
    if (known instanceof kind) return known;
    const made = make();
    series.set(key, made);
    return made;
  }

  private familyOf(name: string, described: Omit<Family, 'series'>): Family {
    const known = this.families.get(name);
    if (known) return known;
    const family = { ...described, series: new Map<string, Count | Histogram | ReadGauge>() };
    this.families.set(name, family);
    return family;
  }
}

function renderFamily(name: string, { help, type, series }: Family): string {
  const lines = [...series].flatMap(([labels, one]) => linesOf(name, labels, one));
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${line}\n`).join('')}`;
}

function linesOf(name: string, labels: string, series: Count | Histogram | ReadGauge): readonly string[] {
  if (series instanceof Histogram) return series.lines(name, labels);
  const value = series instanceof Count ? series.value : series();
  return value === undefined ? [] : [`${name}${labels && `{${labels}}`} ${value}`];
}

/** `route="/users/:id",status="200"`. */
function textOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(',');
}

function escapeValue(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}
