import { canAssemble } from './code/assemble';
import { validatorDialect } from './rules/reference';
import { isLoadedTwice } from './transforms/loaded-twice';
import { installedVersion, isKnownVersion } from './transforms/reference';

const OLDEST_NODE = 20;

/**
 * Explains why class-transformer decorators cannot be compiled in this process, and how to fix it.
 *
 * @returns `undefined` if they can be compiled
 */
export function whyNoTransforms(): string | undefined {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE)
    return `Node ${OLDEST_NODE} or later is needed, and this is ${node}`;
  if (!canAssemble())
    return 'code generation from strings is forbidden (--disallow-code-generation-from-strings)';
  if (isKnownVersion(installedVersion())) return undefined;
  if (isLoadedTwice())
    return 'class-transformer is loaded twice: see npm ls class-transformer, and run npm dedupe';
  return (
    'this class-transformer behaves as none that was tested, or the program holds it twice: ' +
    'npm install class-transformer@0.5, and in a bundler prefer the field main to module'
  );
}

/** Works like {@link whyNoTransforms}, for the decorators of both libraries. */
export function whyNoRules(): string | undefined {
  const why = whyNoTransforms();
  if (why !== undefined || validatorDialect()) return why;
  return 'this class-validator behaves as none that was tested (0.13.2 to 0.15): npm install class-validator@0.15';
}

const reported = new Set<string>();

/**
 * Reports why compilation is off. It reports once per process, whichever class or library of ours notices it first.
 *
 * @param log writes the message; by default a process warning, `SLUICE_NOT_COMPILED`
 */
export function reportNotCompiled(why: string, log: (sentence: string) => void = warn): void {
  if (reported.has(why)) return;
  reported.add(why);
  log(`Nothing is compiled: ${why}. The libraries are used instead.`);
}

/** Writes a process warning, `SLUICE_NOT_COMPILED`. */
export function warn(sentence: string): void {
  process.emitWarning(sentence, { type: 'SluiceWarning', code: 'SLUICE_NOT_COMPILED' });
}
