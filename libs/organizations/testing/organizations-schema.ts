import { DatabaseSchema } from '@app/persistence';
import { organizations } from '../src/organizations.plugin';

const { name, tables = [] } = organizations();

/** This library's tables. */
export const organizationsSchema = new DatabaseSchema(name, tables);
