const said = new WeakMap<Function, Set<string>>();

/**
 * Says of a class, once for each reason and from whichever entry it is met first, that the libraries themselves check it.
 *
 * @param say writes the sentence; by default a warning of the process, `SLUICE_NOT_COMPILED`
 */
export function sayLeft(type: unknown, reason: string, say: (sentence: string) => void = warn): void {
  if (typeof type !== 'function') return;
  const reasons = said.get(type) ?? new Set();
  if (reasons.has(reason)) return;
  said.set(type, reasons.add(reason));
  say(`${type.name} is checked by the libraries themselves: ${reason}`);
}

function warn(sentence: string): void {
  process.emitWarning(sentence, { type: 'SluiceWarning', code: 'SLUICE_NOT_COMPILED' });
}
