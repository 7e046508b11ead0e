import { runAdminResetCommand } from '@app/accounts';
import { runOnGivenDatabase } from './given-database';

/** `node admin-reset.js --email admin@example.com`: what `npm run admin:reset` does, in a packed folder. */
void runOnGivenDatabase((db, args) => runAdminResetCommand(db, args, process.stdin));
