import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mts';

/** What is used of a CycloneDX document. */
interface Sbom {
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Writes `sbom.json` in CycloneDX 1.5: what npm lists, without what is not in the packed folder. (Its
 * `--omit=dev` also omits packages that both the program and its tools need.)
 *
 * @param packages those that are, as `fastify@5.12.8`
 */
export function writeSbom(folder: string, packages: ReadonlySet<string>): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64e6 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const sbom: Sbom = JSON.parse(stdout);
  const components = sbom.components.filter((component) => packages.has(component['bom-ref']));
  const refs = new Set(components.map((component) => component['bom-ref']));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  writeFileSync(
    join(folder, 'sbom.json'),
    `${JSON.stringify({ ...sbom, components, dependencies }, undefined, 2)}\n`,
  );
}
