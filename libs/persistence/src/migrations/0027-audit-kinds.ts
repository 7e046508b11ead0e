import { concurrentIndex } from './concurrent-index';

/** The events of an account of one kind are found without reading its others. */
export const auditKinds = concurrentIndex({
  name: 'audit_event_account_id_kind_id',
  table: 'audit_event',
  columns: ['account_id', 'kind', 'id'],
});
