import { type Ids } from '../../schema/columns';

/** The default id kind if `DATABASE_IDS` is unset. Tests replace this file in vitest.config.mts. */
export const defaultIds: Ids = 'sequence';
