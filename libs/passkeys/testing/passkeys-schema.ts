import { DatabaseSchema } from '@app/persistence';
import { passkeys } from '../src/passkeys.plugin';

const { name, tables = [] } = passkeys();

/** This library's tables. */
export const passkeysSchema = new DatabaseSchema(name, tables);
