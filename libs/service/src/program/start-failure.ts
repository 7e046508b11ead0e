import { StoreFaultError, StoreUnavailableError } from '@app/persistence';
import { ContractError, onOneLine } from '@app/contract';
import { printable } from '../logs/control-characters';
import { redact } from '../logs/redact';
import { SettingsError } from '../settings/errors';
import { WorkerStartError } from '../process/worker';

/**
 * Describes why a program did not start.
 *
 * @param program such as `sluice api`
 * @returns a single line; for settings and the contract, a line per problem; an empty list if a worker has written the reason
 */
export function startFailure(program: string, error: unknown): readonly string[] {
  return reasons(error).map((reason) => `${program} did not start: ${printable(oneLine(redact(reason)))}`);
}

function reasons(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.problems.map(({ name, problem }) => `${name} ${problem}`);
  if (error instanceof ContractError) return error.findings.map(onOneLine);
  if (error instanceof WorkerStartError) return [];
  if (error instanceof StoreFaultError) return [error.message];
  if (error instanceof StoreUnavailableError)
    return [`${error.message}. Check the database that DATABASE_URL names.`];
  if (error instanceof Error) return [error.message || error.name];
  return ['non-Error thrown'];
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
