import { mailSchema } from '@app/mail';
import type { DatabaseSchema } from '@app/persistence';
import { type MigratedDatabase, useMigratedDatabase } from '@app/persistence/testing';
import { accountsSchema } from '../src/schema.providers';

/** The tables of this library, and of those below it. */
export const accountsSchemas: readonly DatabaseSchema[] = [mailSchema, accountsSchema];

/** {@link useMigratedDatabase} with the tables of this library, and others. */
export function useAccountsDatabase(...others: readonly DatabaseSchema[]): MigratedDatabase {
  return useMigratedDatabase([...accountsSchemas, ...others]);
}
