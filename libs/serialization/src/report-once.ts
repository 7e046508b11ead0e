const known = new Set<string>();

/**
 * Warns, once in a process, that class-transformer does what was to be compiled.
 *
 * @returns the reason, if there is one
 */
export function reported(reason: string | undefined): string | undefined {
  if (reason === undefined || known.has(reason)) return reason;
  known.add(reason);
  process.emitWarning(`Serialization is not compiled: ${reason}. class-transformer answers instead.`, {
    type: 'SluiceWarning',
    code: 'SLUICE_NOT_COMPILED',
  });
  return reason;
}
