import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/workspace.mts';

interface Component {
  readonly 'bom-ref': string;
}

/** The used members of a CycloneDX document. */
interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The versions that describe interfaces instead of components in Node. */
const interfaces = new Set(['modules', 'napi']);

/**
 * Writes `sbom.json` in CycloneDX 1.5. It contains the packages that npm lists and the packed folder includes. (npm's
 * `--omit=dev` also omits packages that both the program and its tools need.)
 *
 * @param packages the included packages, such as `fastify@5.12.8`
 */
export function writeSbom(folder: string, packages: ReadonlySet<string>): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64e6 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const sbom: Sbom = JSON.parse(stdout);
  const components = sbom.components.filter((component) => packages.has(component['bom-ref']));
  const program = sbom.metadata.component['bom-ref'];
  const refs = new Set([program, ...components.map((component) => component['bom-ref'])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((target) => refs.has(target)) }));
  // npm names the program for the folder that it is in.
  const name = program.slice(0, program.lastIndexOf('@'));
  const component = { ...sbom.metadata.component, type: 'application', name };
  write(folder, { ...sbom, metadata: { ...sbom.metadata, component }, components, dependencies });
}

/** Writes the SBOM for an executable. It adds this Node and the libraries compiled into Node to the SBOM of the packed folder. */
export function writeSingleSbom(packed: string, folder: string): void {
  const sbom: Sbom = JSON.parse(readFileSync(join(packed, 'sbom.json'), 'utf8'));
  const node = nodeComponent();
  const dependencies = sbom.dependencies.map(({ ref, dependsOn }) =>
    ref === sbom.metadata.component['bom-ref']
      ? { ref, dependsOn: [...dependsOn, node['bom-ref']] }
      : { ref, dependsOn },
  );
  write(folder, {
    ...sbom,
    components: [...sbom.components, node],
    dependencies: [...dependencies, { ref: node['bom-ref'], dependsOn: [] }],
  });
}

function nodeComponent(): Component {
  const { node: version, ...versions } = process.versions;
  const ref = `node@${version}`;
  const libraries = Object.entries(versions)
    .filter(([name]) => !interfaces.has(name))
    .map(([name, of]) => ({ 'bom-ref': `${ref}/${name}@${of}`, type: 'library', name, version: of }));
  const component = {
    'bom-ref': ref,
    type: 'application',
    name: 'node',
    version,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:github/nodejs/node@v${version}`,
    hashes: [{ alg: 'SHA-256', content: hash('sha256', readFileSync(process.execPath)) }],
    components: libraries,
  };
  return component;
}

function write(folder: string, sbom: Sbom): void {
  writeFileSync(join(folder, 'sbom.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
}
