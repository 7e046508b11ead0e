import { DatabaseSchema } from '@app/persistence';
import { secondFactors } from '../src/second-factors.plugin';

const { name, tables = [] } = secondFactors();

/** This library's tables. */
export const secondFactorsSchema = new DatabaseSchema(name, tables);
