/** The settings from earlier versions, with their replacements. */
export const removedNames: ReadonlyMap<string, string> = new Map([
  ['BACKUP_KEEP', 'the newest seven backups are kept whatever their age'],
  ['DATABASE_STATEMENT_TIMEOUT', 'a statement on PostgreSQL takes at most ten seconds'],
  ['DATABASE_WAIT_TIMEOUT', 'a request waits five seconds for a connection or a lock'],
  ['EMAIL_VERIFICATION_LIMIT', 'an account gets five links an hour'],
  ['MAIL_RETENTION', 'mails are kept for seven days'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'traces are sent to OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['OTEL_SDK_DISABLED', 'tracing is off without OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['SIGN_IN_ACCOUNT_FAILURES', 'ten times SIGN_IN_FAILURES over all addresses lock an account'],
  ['SIGN_IN_LOCK', 'the first lock lasts a minute'],
  ['SIGN_IN_LOCK_MAX', 'a lock lasts at most 15 minutes'],
  ['SMTP_CONNECTIONS', 'a program sends four mails at once'],
]);
