import { DatabaseSchema } from '@app/persistence';
import { mailTable } from './outbox/mail.table';

/** The tables of this library. */
export const mailSchema = new DatabaseSchema('mail', [mailTable]);
