import { readDuration } from '@app/settings';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownSettings } from './deploy/known-settings';
import { type KubernetesObject, readKustomization, readManifests } from './deploy/manifests';

const root = join(__dirname, '..');
const manifests = readManifests();
const { resources, images } = readKustomization();
const ofKind = (...kinds: readonly string[]) =>
  manifests.filter(({ kind }) => kinds.includes(kind)).map(({ object }) => object);
const declared = new Set(manifests.map(({ kind, object }) => `${kind} ${object.metadata.name}`));
const settings = ofKind('ConfigMap')[0]?.data ?? {};
const appLabel = 'app.kubernetes.io/name';

/** The Deployment and Job members that the test reads. */
interface WorkloadSpec {
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly terminationGracePeriodSeconds?: number;
      readonly automountServiceAccountToken?: boolean;
      readonly securityContext?: object;
      readonly containers: readonly Container[];
    };
  };
}

interface Container {
  readonly image: string;
  readonly envFrom: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly readinessProbe?: { readonly periodSeconds: number; readonly failureThreshold: number };
  readonly securityContext?: object;
}

function podOf({ metadata: { name }, spec }: KubernetesObject) {
  const { template } = spec as WorkloadSpec;
  return { name, labels: template.metadata.labels, pod: template.spec };
}

const workloads = ofKind('Deployment', 'Job').map(podOf);

describe('the Kubernetes manifests', () => {
  it.each(manifests)('are valid by the schema of their kind: $file, $kind', async ({ kind, object }) => {
    const path = `kubernetes-models/${object.apiVersion}/${kind}`;
    const { [kind]: Model } = await import(path);
    expect(() => new Model(object).validate()).not.toThrow();
    expect(() => new Model({ ...object, metadata: { name: 1 } }).validate()).toThrow(/metadata/);
  });

  it('have no unknown member', () => {
    const folder = join(root, 'node_modules/.cache/kubernetes');
    mkdirSync(folder, { recursive: true });
    const typed = manifests.map(({ object }, index) => asTyped(object, index));
    const misspelled = "// @ts-expect-error\nexport const misspelled: I0['spec'] = { replics: 1 };";
    writeFileSync(join(folder, 'manifests.ts'), [...typed, misspelled].join('\n'));
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', 'manifests.ts'];
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...flags], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([stdout, status]).toEqual(['', 0]);
  });

  it('are all applied, except for the example of a secret', () => {
    const files = new Set(manifests.map(({ file }) => file));
    expect([...files].filter((file) => !resources.includes(file))).toEqual(['secret.example.yaml']);
    expect(resources.filter((file) => !files.has(file))).toEqual([]);
  });

  it('have existing settings only, and no secret among those that are public', () => {
    const secrets = ofKind('Secret')[0]?.stringData ?? {};
    const names = [...Object.keys(settings), ...Object.keys(secrets)];
    expect(names.filter((name) => !knownSettings.has(name))).toEqual([]);
    expect(names).toHaveLength(new Set(names).size);
    expect(Object.keys(settings).filter((name) => /SECRET|PASSWORD|DATABASE/.test(name))).toEqual([]);
    expect(settings.MIGRATE).toBe('check');
  });

  it.each(workloads)('confine the pods of $name', ({ pod }) => {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of pod.containers)
      expect(securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
  });

  it.each(workloads)('name what $name reads, and its image', ({ pod }) => {
    for (const { envFrom, image } of pod.containers) {
      for (const { configMapRef, secretRef } of envFrom)
        expect(declared).toContain(
          configMapRef ? `ConfigMap ${configMapRef.name}` : `Secret ${secretRef?.name}`,
        );
      expect(images.map(({ name }) => name)).toContain(image);
    }
  });

  it('give a stopped pod the time to drain, longer than its probe needs', () => {
    const drainMs = readDuration(settings.DRAIN_DELAY ?? '') ?? NaN;
    for (const { pod } of ofKind('Deployment').map(podOf)) {
      expect((pod.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThanOrEqual(drainMs + 10_000);
      const { periodSeconds = 0, failureThreshold = 0 } = pod.containers[0]?.readinessProbe ?? {};
      expect(periodSeconds * failureThreshold * 1000).toBeLessThan(drainMs);
    }
  });

  it('select pods that exist', () => {
    const labels = new Set(workloads.map((workload) => workload.labels[appLabel]));
    const selectors = /"(?:matchLabels|selector)":\{"app\.kubernetes\.io\/name":"([^"]+)"/g;
    const selected = [...JSON.stringify(manifests).matchAll(selectors)].map(([, name]) => name);
    expect(selected.length).toBeGreaterThan(5);
    expect(selected.filter((name) => !labels.has(name))).toEqual([]);
  });
});

/** An object as TypeScript, whose types refuse what they do not have. */
function asTyped(object: KubernetesObject, index: number): string {
  const { apiVersion, kind } = object;
  const type = `import type { I${kind} as I${index} } from 'kubernetes-models/${apiVersion}/${kind}';`;
  return `${type}\nexport const value${index}: I${index} = ${JSON.stringify(object)};`;
}
