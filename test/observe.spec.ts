import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const metrics = 'libs/service/src/metrics';
const sources = readdirSync(join(root, metrics)).map((file) => read(join(metrics, file)));
const exported = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/'((?:http|sluice|process|nodejs)_\w+)'/g)].map(([, name]) => name),
  ),
);

/** The metrics that a text names, without what histograms add. */
function namedIn(text: string): readonly string[] {
  const names = [...text.matchAll(/\b(?:http|sluice|process|nodejs)_\w+/g)].map(([name]) => name);
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

describe('what observes the programs', () => {
  it.each(['deploy/observe/alerts.yml', 'deploy/observe/dashboard.json'])(
    'names existing metrics: %s',
    (path) => {
      const names = namedIn(read(path));
      expect(names.length).toBeGreaterThan(4);
      expect(names.filter((name) => !exported.has(name))).toEqual([]);
    },
  );

  it('has a page that names every metric and every alert', () => {
    const page = read('docs/guides/observe.md');
    const isCovered = (name: string) => page.includes(`\`${name}\``) || /^(process|nodejs)_/.test(name);
    expect([...exported].filter((name) => !isCovered(name))).toEqual([]);
    const alerts = [...read('deploy/observe/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    expect(alerts.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const why = hasPromtool ? '' : ' (needs promtool in the path)';

describe.runIf(hasPromtool)(`the dashboard${why}`, () => {
  interface Dashboard {
    readonly panels: readonly {
      readonly title: string;
      readonly targets: readonly { readonly expr: string }[];
    }[];
  }

  it('has expressions that Prometheus can parse', () => {
    const { panels }: Dashboard = JSON.parse(read('deploy/observe/dashboard.json'));
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(panels.length - 1);
    const rules = expressions.map((expr, at) => ({
      record: `panel:${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }));
    expect(check({ groups: [{ name: 'panels', rules }] })).toEqual([
      0,
      expect.stringContaining(`SUCCESS: ${expressions.length} rules found`),
    ]);
    expect(check({ groups: [{ name: 'broken', rules: [{ record: 'a', expr: 'rate(b)[5m]' }] }] })[0]).toBe(1);
  });

  /** By `promtool check rules`; JSON is YAML. */
  function check(rules: object): readonly [number | null, string] {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-panels-'));
    const file = join(folder, 'rules.yml');
    writeFileSync(file, JSON.stringify(rules));
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    return [status, stdout + stderr];
  }
});
