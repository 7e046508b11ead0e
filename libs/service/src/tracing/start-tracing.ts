import type { Tracing, TracingOptions, TracingSettings } from './tracing';

/** Returns the URL to which traces are sent; `undefined` while tracing is off. */
export function tracesUrlOf(settings: TracingSettings): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = settings;
  return collector && `${collector.replace(/\/$/, '')}/v1/traces`;
}

/**
 * Traces a program by the OpenTelemetry packages, which are only loaded if tracing is on.
 *
 * @returns `undefined` while tracing is off
 */
export async function startTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const url = tracesUrlOf(options.settings);
  if (url === undefined) return undefined;
  const { openTracing } = await import('./open-tracing.js');
  return openTracing(url, options);
}
