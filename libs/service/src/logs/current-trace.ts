import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span, Tracer } from '@opentelemetry/api';

/** The trace of the request that the current asynchronous context belongs to. */
export interface CurrentTrace {
  readonly traceId: string;
  readonly span: Span;
  /** The context for the span's children. */
  readonly context: Context;
  /** The program's tracer. A process may contain several programs. */
  readonly tracer: Tracer;
}

/** The current request's trace. It is empty outside requests and while tracing is off. */
export const currentTrace = new AsyncLocalStorage<CurrentTrace>();

/** Returns the log field that links lines to a trace. */
export function traceFields(): { readonly traceId?: string } {
  const current = currentTrace.getStore();
  return current === undefined ? {} : { traceId: current.traceId };
}
