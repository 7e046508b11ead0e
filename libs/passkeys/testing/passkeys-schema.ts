import { DatabaseSchema } from '@app/persistence';
import { passkeys } from '../src/passkeys.plugin';

const { name, tables = [] } = passkeys();

/** The tables of this library. */
export const passkeysSchema = new DatabaseSchema(name, tables);
