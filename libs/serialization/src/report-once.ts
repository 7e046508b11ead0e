const known = new Set<string>();

/**
 * Warns, once per process, that class-transformer is used in place of compiled code.
 *
 * @returns the reason, if any
 */
export function reported(reason: string | undefined): string | undefined {
  if (reason === undefined || known.has(reason)) return reason;
  known.add(reason);
  process.emitWarning(`Serialization is not compiled: ${reason}. class-transformer is used instead.`, {
    type: 'SluiceWarning',
    code: 'SLUICE_NOT_COMPILED',
  });
  return reason;
}
