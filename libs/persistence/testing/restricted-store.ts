/** SQL that takes away from a PostgreSQL database what distributed engines lack. Of a superuser. */

/** Identity columns have sequences. */
export const refuseSequences = [
  `create function refuse_sequences() returns event_trigger language plpgsql as $$
    begin
      if exists (select from pg_event_trigger_ddl_commands() where object_type = 'sequence') then
        raise exception 'identity columns have sequences';
      end if;
    end $$`,
  `create event trigger refuse_sequences on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE')
    execute function refuse_sequences()`,
];

/** A statement that is not the first of its transaction began later. May be executed again. */
export const refuseTablesInTransactions = [
  `create or replace function refuse_in_transaction() returns event_trigger language plpgsql as $$
    begin
      if statement_timestamp() <> transaction_timestamp() then
        raise exception 'tables are not changed in a transaction' using errcode = 'feature_not_supported';
      end if;
    end $$`,
  'drop event trigger if exists refuse_in_transaction',
  `create event trigger refuse_in_transaction on ddl_command_start
    when tag in ('CREATE TABLE', 'ALTER TABLE', 'DROP TABLE', 'CREATE INDEX', 'DROP INDEX')
    execute function refuse_in_transaction()`,
];
