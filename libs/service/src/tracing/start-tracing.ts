import type { Tracing, TracingOptions, TracingSettings } from './tracing';

/** The URL that traces are sent to; `undefined` while tracing is off. */
export function tracesUrlOf(settings: TracingSettings): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = settings;
  return collector && `${collector.replace(/\/$/, '')}/v1/traces`;
}

/**
 * Traces a program by the packages of OpenTelemetry, which are only loaded if it is switched on.
 *
 * @returns `undefined` while it is off
 */
export async function startTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const url = tracesUrlOf(options.settings);
  if (url === undefined) return undefined;
  const { openTracing } = await import('./open-tracing.js');
  return openTracing(url, options);
}
