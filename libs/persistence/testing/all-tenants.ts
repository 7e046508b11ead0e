import { type Kysely } from 'kysely';
import { type Tables } from '../src/schema/tables';
import { choiceOf, type Queries } from '../src/tenants/queries';
import { acrossTenants } from '../src/tenants/tenant-exception';

const tests = acrossTenants('a test reads all tables');

/** Returns a handle that also executes SQL text on the tables of tenants, whichever exceptions the program lists. */
export function ofAllTenants(db: Kysely<Tables>): Queries {
  return choiceOf(db, undefined).acrossTenants(tests);
}
