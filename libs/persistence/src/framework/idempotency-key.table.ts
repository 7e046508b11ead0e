import { type Selectable } from 'kysely';
import { defineTable } from '../schema/define-table';

/** The response to a request with an `Idempotency-Key`, kept for its retries. */
export interface IdempotencyKeyTable {
  /** Hash of caller, route and key; primary key. */
  id: string;
  /** Hash of the path and the body: a retry has the same. */
  fingerprint: string;
  responseStatus: number;
  /** JSON of the header fields that the handler set. */
  responseHeaders: string;
  /** As it was sent; `null` if there was none. */
  responseBody: string | null;
  /** The row is deleted a day later. */
  createdAt: Date;
}

/** A selected response. */
export type IdempotencyKeyRow = Selectable<IdempotencyKeyTable>;

declare module '../schema/tables' {
  interface Tables {
    idempotencyKey: IdempotencyKeyTable;
  }
}

export const idempotencyKeyTable = defineTable('idempotencyKey', {
  secrecy: {
    id: 'secret',
    fingerprint: 'internal',
    responseStatus: 'internal',
    responseHeaders: 'internal',
    responseBody: 'internal',
    createdAt: 'internal',
  },
  exported: { not: 'responses that the account was sent, under a hash, for a day' },
});
