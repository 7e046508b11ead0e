import { canAssemble } from './code/assemble';
import { validatorDialect } from './rules/reference';
import { isLoadedTwice } from './transforms/loaded-twice';
import { installedVersion, isKnownVersion } from './transforms/reference';

const OLDEST_NODE = 20;

/**
 * Why the decorators of class-transformer cannot be compiled in this process, and what to do about it.
 *
 * @returns `undefined` if they can
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

/** As {@link whyNoTransforms}, for the decorators of both libraries. */
export function whyNoRules(): string | undefined {
  const why = whyNoTransforms();
  if (why !== undefined || validatorDialect()) return why;
  return 'this class-validator behaves as none that was tested (0.13.2 to 0.15): npm install class-validator@0.15';
}

const reported = new Set<string>();

/**
 * Reports why nothing is compiled: once per process, whichever class or library of ours it is noticed in.
 *
 * @param log writes the message; by default a warning of the process, `SLUICE_NOT_COMPILED`
 */
export function reportNotCompiled(why: string, log: (sentence: string) => void = warn): void {
  if (reported.has(why)) return;
  reported.add(why);
  log(`Nothing is compiled: ${why}. The libraries are used instead.`);
}

function warn(sentence: string): void {
  process.emitWarning(sentence, { type: 'SluiceWarning', code: 'SLUICE_NOT_COMPILED' });
}
