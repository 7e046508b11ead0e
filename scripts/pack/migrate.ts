import { runMigrateCommand } from '@app/persistence';
import { runOnGivenDatabase } from './given-database';

/** `node migrate.js`, `--list`, `--check`: what `npm run migrate` does, in a packed folder. */
void runOnGivenDatabase(runMigrateCommand);
