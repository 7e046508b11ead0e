import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/** The span parts that tests read. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** The attribute values as text. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The program's resource attributes, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
}

/** An OpenTelemetry collector that keeps the spans that it receives. */
export interface OtlpCollector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  stop(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface TracesBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes' | 'resource'> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

/** Starts a collector that accepts OTLP over HTTP, as JSON, at `/v1/traces`. */
export async function startCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await json(request);
    // OpenTelemetry's exporter wrote it.
    if (request.url === '/v1/traces') spans.push(...spansIn(body as TracesBody));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, spans, stop };
}

function spansIn({ resourceSpans }: TracesBody): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => {
        const { name, traceId, spanId, parentSpanId } = span;
        const attributes = textsOf(span.attributes);
        return { name, traceId, spanId, parentSpanId, attributes, resource: textsOf(resource.attributes) };
      }),
    ),
  );
}

function textsOf(attributes: readonly Attribute[]): Readonly<Record<string, string>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
