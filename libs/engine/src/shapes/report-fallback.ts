import { isFunction } from './values';
import { nameOfClass } from './named';
import { reportNotCompiled, warn, whyNoRules } from './not-compiled';

const reported = new WeakMap<Function, Set<string>>();

/**
 * Reports that the libraries validate or serialize a class. It reports once per class and reason, whichever function is called. A reason that
 * concerns every class is reported once.
 *
 * @param log writes the message; by default a process warning, `SLUICE_NOT_COMPILED`
 */
export function reportFallback(
  type: unknown,
  reason: string,
  log: (sentence: string) => void = warn,
  action: 'validated' | 'serialized' = 'validated',
): void {
  if (!isFunction(type)) return;
  if (reason === whyNoRules()) return reportNotCompiled(reason, log);
  const reasons = reported.get(type) ?? new Set();
  const sentence = `${nameOfClass(type)} is ${action} by the libraries: ${reason}`;
  if (reasons.has(sentence)) return;
  reported.set(type, reasons.add(sentence));
  log(sentence);
}
