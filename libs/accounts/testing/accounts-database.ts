import { mailSchema } from '@app/mail';
import type { DatabaseSchema } from '@app/persistence';
import { type MigratedDatabase, useMigratedDatabase } from '@app/persistence/testing';
import { accountsSchema } from '../src/schema.providers';

/** The tables of this library and the libraries below it. */
export const accountsSchemas: readonly DatabaseSchema[] = [mailSchema, accountsSchema];

/** Calls {@link useMigratedDatabase} with this library's tables and the given tables. */
export function useAccountsDatabase(...others: readonly DatabaseSchema[]): MigratedDatabase {
  return useMigratedDatabase([...accountsSchemas, ...others]);
}
