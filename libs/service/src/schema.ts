import { accountsSchema, type SignInWay } from '@app/accounts';
import { mailSchema } from '@app/mail';
import { DatabaseSchema, DatabaseSchemas, type TableDefinition } from '@app/persistence';
import { idempotencyKeyTable } from './idempotency/idempotency-key.table';
import { rateCountTable } from './rate-limit/rate-count.table';

const serviceSchema = new DatabaseSchema('service', [idempotencyKeyTable, rateCountTable]);

/** The tables that every program has. */
export const librarySchemas: readonly DatabaseSchema[] = [mailSchema, accountsSchema, serviceSchema];

/** The tables of a program: the history of its own has its name. */
export function schemasOf({
  name,
  tables,
  ways = [],
  schemas = [],
}: {
  readonly name: string;
  readonly tables?: readonly TableDefinition[];
  readonly ways?: readonly SignInWay[];
  /** The tables of the plugins, each a history with the name of its plugin. */
  readonly schemas?: readonly DatabaseSchema[];
}): DatabaseSchemas {
  const ofWays = ways.flatMap((way) => way.tables ?? []);
  const hasOwn = tables !== undefined || ofWays.length > 0;
  const own = hasOwn ? [new DatabaseSchema(name, [...(tables ?? []), ...ofWays])] : [];
  return new DatabaseSchemas([...librarySchemas, ...schemas, ...own]);
}
