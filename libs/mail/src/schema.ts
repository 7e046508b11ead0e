import { DatabaseSchema } from '@app/persistence';
import { mailTable } from './outbox/mail.table';

/** This library's tables. */
export const mailSchema = new DatabaseSchema('mail', [mailTable]);
