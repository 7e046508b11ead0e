import './load-sources.mts';
import { openGivenDatabase } from './database.mts';
import { runScript } from './workspace.mts';

/**
 * Checks whether the audit log was changed, also while programs run: `npm run audit:check`. It prints the head of the chain, to be kept
 * elsewhere; `-- --head HASH` says whether an earlier one is in the chain still.
 */
await runScript(async () => {
  const { runAuditCheckCommand } = await import('@app/accounts');
  const db = await openGivenDatabase();
  try {
    for (const line of await runAuditCheckCommand(db, process.argv.slice(2))) console.log(line);
  } finally {
    await db.destroy();
  }
});
