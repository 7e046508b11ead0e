import { DatabaseSchema } from '@app/persistence';
import { secondFactors } from '../src/second-factors.plugin';

const { name, tables = [] } = secondFactors();

/** The tables of this library. */
export const secondFactorsSchema = new DatabaseSchema(name, tables);
