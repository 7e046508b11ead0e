import { parseArgs } from 'node:util';
import { checkMigrations, type Database } from '@app/persistence';
import { AuditChain } from './audit-chain';
import { ChainCheck } from './chain-check';
import { BrokenChainError } from '../errors';

const usage = 'give nothing, or --head and the hash that an earlier check printed';

/**
 * Checks the chain of the audit log, as the command line asks for.
 *
 * @returns what to print, line by line
 * @throws {TypeError} for other arguments
 * @throws {PendingMigrationsError} if the database lacks migrations
 * @throws {BrokenChainError} if a block or an event was changed
 */
export async function runAuditCheckCommand(
  db: Database,
  args: readonly string[],
): Promise<readonly string[]> {
  const head = readHead(args);
  await checkMigrations(db);
  const checked = await new ChainCheck(db, new AuditChain(db)).check(head);
  if (!checked.isIntact) throw new BrokenChainError(checked.faults);
  const { blocks, events, prunedBlocks, unsealed } = checked;
  return [
    `the audit log is intact: ${events} events in ${blocks} blocks (${prunedBlocks} pruned), ${unsealed} not sealed yet`,
    `head: ${checked.head ?? 'none'}`,
  ];
}

function readHead(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { head: { type: 'string' } } }).values.head;
  } catch (error) {
    throw new TypeError(usage, { cause: error });
  }
}
