/// <reference path="./class-validator-internals.d.ts" />
import { createHash } from 'node:crypto';
import { MetadataStorage } from 'class-validator';
import { ValidationExecutor } from 'class-validator/cjs/validation/ValidationExecutor.js';
import { ValidationUtils } from 'class-validator/cjs/validation/ValidationUtils.js';

/** The class-validator whose behaviour was compared with what we compile, by what its engine's source hashes to. */
const KNOWN_VERSIONS: Readonly<Record<string, string>> = { '3dc6354c': '0.15.1' };

let found: string | undefined;

/**
 * What the installed class-validator is: its version, or eight digits that stand for its source when it is none that
 * was tested. A patched copy is told apart that way.
 */
export function installedValidator(): string {
  found ??= versionOf([ValidationExecutor, ValidationUtils, MetadataStorage]);
  return found;
}

/**
 * Whether rules of a class-validator may be compiled.
 *
 * @param trusted versions a caller vouches for, beside those that were tested here
 */
export function isKnownValidator(version: string, trusted: readonly string[] = []): boolean {
  return Object.values(KNOWN_VERSIONS).includes(version) || trusted.includes(version);
}

function versionOf(classes: readonly Function[]): string {
  const digits = createHash('sha256').update(classes.map(String).join('\n')).digest('hex').slice(0, 8);
  return KNOWN_VERSIONS[digits] ?? digits;
}
