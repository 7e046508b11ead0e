import { DatabaseSchema } from '@app/persistence';
import { organizations } from '../src/organizations.plugin';

const { name, tables = [] } = organizations();

/** The tables of this library. */
export const organizationsSchema = new DatabaseSchema(name, tables);
