import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = ['libs/service/src/metrics', 'libs/service/src/nest/metrics'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((file) => read(join(folder, file))),
);
const known = new Set(
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
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it('has a page that names every metric and every alert', () => {
    const page = read('docs/guides/observe.md');
    const isCovered = (name: string) => page.includes(`\`${name}\``) || /^(process|nodejs)_/.test(name);
    expect([...known].filter((name) => !isCovered(name))).toEqual([]);
    const alerts = [...read('deploy/observe/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    expect(alerts.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
