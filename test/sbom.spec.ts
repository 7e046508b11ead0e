import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSbom, writeSingleSbom } from '../tools/pack/program/sbom.mts';

describe('the SBOM of a packed program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sbom-'));
  const single = join(folder, 'single');
  beforeAll(() => {
    mkdirSync(single);
    const { version } = JSON.parse(readFileSync('node_modules/fastify/package.json', 'utf8'));
    writeSbom(folder, new Set([`fastify@${version}`]));
    writeSingleSbom(folder, single);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (of: string) => JSON.parse(readFileSync(join(of, 'sbom.json'), 'utf8'));

  it('is named for the package, wherever it is packed, and depends on what is packed alone', () => {
    const { metadata, dependencies, components } = read(folder);
    expect(metadata.component).toMatchObject({ name: 'sluice', type: 'application' });
    expect(components).toHaveLength(1);
    const { 'bom-ref': ref } = metadata.component;
    expect(dependencies).toContainEqual({ ref, dependsOn: [components[0]['bom-ref']] });
  });

  it('has, of an executable, its Node and the libraries in it', () => {
    const { metadata, dependencies, components } = read(single);
    const node = components.find(({ name }: { name: string }) => name === 'node');
    const { node: version, openssl, sqlite } = process.versions;
    expect(node).toMatchObject({ version, cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*` });
    for (const [name, of] of Object.entries({ openssl, sqlite }))
      expect(node.components).toContainEqual(expect.objectContaining({ name, version: of }));
    const program = dependencies.find(({ ref }: { ref: string }) => ref === metadata.component['bom-ref']);
    expect(program.dependsOn).toContain(node['bom-ref']);
  });
});
