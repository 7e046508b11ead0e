import { type Ids } from '../../schema/columns';

/** What generates ids, unless `DATABASE_IDS` says otherwise. Tests replace this file: vitest.config.mts. */
export const defaultIds: Ids = 'sequence';
