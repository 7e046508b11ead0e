interface Family {
  readonly head: string[];
  readonly series: string[];
}

const seriesForm = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/**
 * Joins the metrics of several workers: each series gets the label `worker`.
 *
 * @param texts by the number of the worker, in the text format of Prometheus
 */
export function mergeMetrics(texts: ReadonlyMap<number, string>): string {
  const families = new Map<string, Family>();
  for (const [worker, text] of texts) {
    let family: Family = { head: [], series: [] };
    for (const line of text.split('\n')) {
      const [, name] = /^# HELP (\w+) /.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { head: [], series: [] };
        families.set(name, family);
      }
      if (!line.startsWith('#')) family.series.push(...labelled(line, worker));
      else if (family.head.length < 2) family.head.push(line);
    }
  }
  return [...families.values()]
    .flatMap(({ head, series }) => head.concat(series))
    .map((line) => `${line}\n`)
    .join('');
}

function labelled(line: string, worker: number): readonly string[] {
  const match = seriesForm.exec(line);
  if (match === null) return [];
  const [, name, labels, value] = match;
  return [`${name}{${labels === undefined ? '' : `${labels},`}worker="${worker}"} ${value}`];
}
