import './load-sources.mts';
import { openGivenDatabase } from './database.mts';
import { runScript } from './workspace.mts';

/**
 * Makes an e-mail the sign-in of an administrator, also while programs run: `npm run admin:reset -- --email admin@example.com`. The
 * password is generated and printed once, or read from standard input with `--password-stdin`.
 */
await runScript(async () => {
  const { runAdminResetCommand } = await import('@app/accounts');
  const db = await openGivenDatabase();
  try {
    for (const line of await runAdminResetCommand(db, process.argv.slice(2), process.stdin))
      console.log(line);
  } finally {
    await db.destroy();
  }
});
