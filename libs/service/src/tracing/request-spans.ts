import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAbortHookHandler,
  onRequestHookHandler,
  onResponseHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { isProbe, pathOf } from '../logs/request-log';
import { currentTrace } from '../logs/current-trace';
import { ownHook } from '../routes/own-hooks';

const propagator = new W3CTraceContextPropagator();
const headers: TextMapGetter<FastifyRequest['headers']> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, name) => carrier[name],
};

/** The span for each request, which continues the caller's trace. Health routes have no span. */
export class RequestSpans {
  private readonly spans = new WeakMap<FastifyRequest, Span>();

  constructor(private readonly tracer: Tracer) {}

  /** Observes requests. @param server before its routes are registered @param hasAddresses whether spans have caller addresses */
  observe(server: FastifyInstance, hasAddresses: boolean): void {
    const start: onRequestHookHandler = (request, _reply, done) => {
      if (!isProbe(request.url)) this.start(request, hasAddresses);
      done();
    };
    const end: onResponseHookHandler = (request, reply, done) => {
      this.end(request, reply);
      done();
    };
    const abort: onRequestAbortHookHandler = (request, done) => {
      this.abort(request);
      done();
    };
    const enter: preHandlerHookHandler = (request, _reply, done) => this.enter(request, done);
    server.addHook('onRequest', ownHook(start));
    // Not before the body has arrived: it arrives in the context of its connection.
    server.addHook('preHandler', ownHook(enter));
    server.addHook('onResponse', ownHook(end));
    server.addHook('onRequestAbort', ownHook(abort));
  }

  /** Returns the trace id of a request, or `undefined` without a trace. */
  traceIdOf(request: FastifyRequest): string | undefined {
    return this.spans.get(request)?.spanContext().traceId;
  }

  private start(request: FastifyRequest, hasAddresses: boolean): void {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, headers);
    const options = { kind: SpanKind.SERVER, attributes: attributesOf(request, hasAddresses) };
    this.spans.set(request, this.tracer.startSpan(nameOf(request), options, parent));
  }

  private enter(request: FastifyRequest, next: () => void): void {
    const span = this.spans.get(request);
    if (span === undefined) return next();
    const { tracer } = this;
    const { traceId } = span.spanContext();
    currentTrace.run({ traceId, span, tracer, context: trace.setSpan(ROOT_CONTEXT, span) }, next);
  }

  private end(request: FastifyRequest, { statusCode }: FastifyReply): void {
    const span = this.spans.get(request);
    span?.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) fail(span, String(statusCode));
    span?.end();
  }

  private abort(request: FastifyRequest): void {
    const span = this.spans.get(request);
    fail(span, 'aborted');
    span?.end();
  }
}

function fail(span: Span | undefined, type: string): void {
  span?.setAttribute('error.type', type);
  span?.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns a span name with the route instead of the path, because paths would be as many names as there are ids. */
function nameOf({ method, routeOptions: { url } }: FastifyRequest): string {
  return url === undefined ? method : `${method} ${url}`;
}

/** Returns the attributes, named by the HTTP semantic conventions. */
function attributesOf(request: FastifyRequest, hasAddresses: boolean): Attributes {
  const { method, url, protocol, routeOptions, raw } = request;
  return {
    'http.request.method': method,
    'http.route': routeOptions.url,
    'url.path': pathOf(url),
    'url.scheme': protocol,
    'network.protocol.version': raw.httpVersion,
    ...(hasAddresses && { 'client.address': request.ip }),
    'sluice.request_id': request.id,
  };
}
