/** SQL that takes away from a PostgreSQL database changes of tables in transactions. Needs a superuser. */

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
