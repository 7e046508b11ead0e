import type { StatementEnd } from '@app/persistence';
import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { currentTrace } from '../logs/current-trace';

/** Returns whether a channel message is ours. */
export function isStatementEnd(message: unknown): message is StatementEnd {
  return typeof message === 'object' && message !== null && 'sql' in message && 'startedAt' in message;
}

/** Records a statement that has ended, as part of the request that executed it. Its values are unknown here. */
export function recordStatement(tracer: Tracer, { system, sql, startedAt, error }: StatementEnd): void {
  const current = currentTrace.getStore();
  if (current?.tracer !== tracer || !current.span.isRecording()) return;
  const operation = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql)?.[1];
  const attributes = {
    'db.system.name': system,
    'db.operation.name': operation,
    'db.collection.name': table,
    'db.query.text': sql,
    'error.type': error?.name,
  };
  const name = table === undefined ? operation : `${operation} ${table}`;
  const startTime = performance.timeOrigin + startedAt;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, current.context);
  if (error) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(performance.timeOrigin + performance.now());
}
