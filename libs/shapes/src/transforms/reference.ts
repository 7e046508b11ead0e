/// <reference types="./class-transformer-storage" />
import { createHash } from 'node:crypto';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';

/** The engine that every compiled function is measured by, and that does what was not compiled. */
export { TransformOperationExecutor as Executor };

/** The class-transformer whose behaviour was compared with what we compile, by what its engine's source hashes to. */
const KNOWN_VERSIONS: Readonly<Record<string, string>> = {
  b3387bd9: '0.5.1',
};

/**
 * What the installed class-transformer is: its version, or eight digits that stand for its source when it is none
 * that was tested.
 *
 * The source is asked, not the package's manifest: a patched copy says 0.5.1 too.
 */
export function installedVersion(): string {
  installed ??= readVersion();
  return installed;
}

let installed: string | undefined;

function readVersion(): string {
  const source = [TransformOperationExecutor, defaultMetadataStorage.constructor].map(String).join('\n');
  const digits = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return KNOWN_VERSIONS[digits] ?? digits;
}

/**
 * Whether decorators of a class-transformer may be compiled.
 *
 * @param version what {@link installedVersion} says
 * @param trusted versions a caller vouches for, beside those that were tested here
 */
export function isKnownVersion(version: string, trusted: readonly string[] = []): boolean {
  return Object.values(KNOWN_VERSIONS).includes(version) || trusted.includes(version);
}
