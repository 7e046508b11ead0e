import { runAuditCheckCommand } from '@app/accounts';
import { runOnGivenDatabase } from './given-database';

/** `node audit-check.js`: what `npm run audit:check` does, in a packed folder. */
void runOnGivenDatabase((db, args) => runAuditCheckCommand(db, args));
