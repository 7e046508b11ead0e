import { reportNotCompiled, whyNoRules } from '../../shapes/not-compiled';
import { nameOfClass } from '../../shapes/named';

const reported = new WeakMap<Function, Set<string>>();

/**
 * Reports that the libraries validate a class. It reports once per class and reason, whichever function is called. A reason that
 * concerns every class is reported once.
 *
 * @param log writes the message; by default a process warning, `SLUICE_NOT_COMPILED`
 */
export function reportFallback(type: unknown, reason: string, log: (sentence: string) => void = warn): void {
  if (typeof type !== 'function') return;
  if (reason === whyNoRules()) return reportNotCompiled(reason, log);
  const reasons = reported.get(type) ?? new Set();
  if (reasons.has(reason)) return;
  reported.set(type, reasons.add(reason));
  log(`${nameOfClass(type)} is validated by the libraries: ${reason}`);
}

function warn(sentence: string): void {
  process.emitWarning(sentence, { type: 'SluiceWarning', code: 'SLUICE_NOT_COMPILED' });
}
