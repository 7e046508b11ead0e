import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** What is read of the objects of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** An object, and the file that has it. */
export interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly object: KubernetesObject;
}

/** What is read of `kustomization.yaml`. */
export interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string }[];
}

const folder = join(__dirname, '../../deploy/kubernetes');

/** Every object in `deploy/kubernetes`. */
export function readManifests(): readonly Manifest[] {
  return readdirSync(folder)
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => documentsOf(file).map((object) => ({ file, kind: object.kind, object })));
}

/** What is applied, and with which images. */
export function readKustomization(): Kustomization {
  const [document] = parseAllDocuments(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
  return document?.toJS();
}

function documentsOf(file: string): readonly KubernetesObject[] {
  return parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS());
}
