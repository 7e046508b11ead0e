import { parseArgs } from 'node:util';
import { checkMigrations, type Database, type MigrationHistory } from '@app/persistence';
import type { SettingsOf } from '@app/settings';
import { AuditChain } from './audit-chain';
import { ChainCheck } from './chain-check';
import { BrokenChainError } from '../errors';
import { accountsSettings } from '../settings';

const usage = 'give nothing, or --head and the hash that an earlier check printed';

/** The {@link runAuditCheckCommand} settings. */
export const auditCheckSettings = { AUDIT_RETENTION: accountsSettings.AUDIT_RETENTION };

/**
 * Checks the audit log's chain, as the command-line arguments say.
 *
 * @returns the lines to print
 * @throws {TypeError} for unknown arguments
 * @throws {PendingMigrationsError} if the database lacks migrations
 * @throws {BrokenChainError} if a block or an event was changed
 */
export async function runAuditCheckCommand(
  db: Database,
  args: readonly string[],
  histories: readonly MigrationHistory[],
  { AUDIT_RETENTION }: SettingsOf<typeof auditCheckSettings>,
): Promise<readonly string[]> {
  const head = readHead(args);
  await checkMigrations(db, histories);
  const checked = await new ChainCheck(db, new AuditChain(db), AUDIT_RETENTION * 1000).check(head);
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
