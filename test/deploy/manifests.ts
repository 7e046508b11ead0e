import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** The parts of a Kubernetes object that tests read. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** A Kubernetes object and the file that contains it. */
export interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly object: KubernetesObject;
}

/** The parts of `kustomization.yaml` that tests read. */
export interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string }[];
}

const folder = join(__dirname, '../../deploy/kubernetes');

/** Reads every object in `deploy/kubernetes`. */
export function readManifests(): readonly Manifest[] {
  return readdirSync(folder)
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => documentsOf(file).map((object) => ({ file, kind: object.kind, object })));
}

/** Reads the applied resources and their images. */
export function readKustomization(): Kustomization {
  const [document] = parseAllDocuments(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
  return document?.toJS();
}

function documentsOf(file: string): readonly KubernetesObject[] {
  return parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS());
}
