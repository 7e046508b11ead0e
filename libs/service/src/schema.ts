import { accountsSchema } from '@app/accounts';
import { mailSchema } from '@app/mail';
import { DatabaseSchema, DatabaseSchemas, type TableDefinition } from '@app/persistence';
import { eventTable } from './events/event.table';
import { idempotencyKeyTable } from './idempotency/idempotency-key.table';
import { rateCountTable } from './rate-limit/rate-count.table';

const serviceSchema = new DatabaseSchema('service', [idempotencyKeyTable, rateCountTable, eventTable]);

/** The tables that every program has. */
export const librarySchemas: readonly DatabaseSchema[] = [mailSchema, accountsSchema, serviceSchema];

/** Returns a program's table histories. The history for its own tables has the program's name. */
export function schemasOf({
  name,
  tables,
  schemas = [],
}: {
  readonly name: string;
  readonly tables?: readonly TableDefinition[];
  /** The plugins' tables. Each plugin has a history with its name. */
  readonly schemas?: readonly DatabaseSchema[];
}): DatabaseSchemas {
  const own = tables === undefined ? [] : [new DatabaseSchema(name, tables)];
  return new DatabaseSchemas([...librarySchemas, ...schemas, ...own]);
}
