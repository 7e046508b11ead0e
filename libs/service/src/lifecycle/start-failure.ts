import { StoreUnavailableError } from '@app/persistence';
import { ContractError, onOneLine } from '@app/contract';
import { scrub } from '../logs/scrub';
import { SettingsError } from '../settings/errors';

/**
 * Says why a program did not start, for the person who started it.
 *
 * @param program such as `sluice api`
 * @returns one line; one for each problem when it is the settings or the contract
 */
export function startFailure(program: string, error: unknown): readonly string[] {
  return reasons(error).map((reason) => `${program} did not start: ${oneLine(scrub(reason))}`);
}

function reasons(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.problems.map(({ name, problem }) => `${name} ${problem}`);
  if (error instanceof ContractError) return error.findings.map(onOneLine);
  if (error instanceof StoreUnavailableError) return [`${error.message}. Start it, or correct DATABASE_URL.`];
  if (error instanceof Error) return [error.message || error.name];
  return ['non-Error thrown'];
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
