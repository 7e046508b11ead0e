import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span, Tracer } from '@opentelemetry/api';

/** The request of which the current asynchronous context is a part. */
export interface CurrentTrace {
  readonly traceId: string;
  readonly span: Span;
  /** Of children of the span. */
  readonly context: Context;
  /** Of the program: there may be several in a process. */
  readonly tracer: Tracer;
}

/** Empty outside of requests, and while tracing is off. */
export const currentTrace = new AsyncLocalStorage<CurrentTrace>();

/** The field of log lines by which they are found together with a trace. */
export function traceFields(): { readonly traceId?: string } {
  const current = currentTrace.getStore();
  return current === undefined ? {} : { traceId: current.traceId };
}
