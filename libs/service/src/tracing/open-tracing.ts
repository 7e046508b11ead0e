import { setTimeout as pause } from 'node:timers/promises';
import { storeChannels } from '@app/persistence';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { ReportingExporter } from './reporting-exporter';
import { RequestSpans } from './request-spans';
import { isStatementEnd, recordStatement } from './statement-spans';
import type { Tracing, TracingOptions, TracingSettings } from './tracing';

/** The deadline for the last export, because a shutdown takes at most nine seconds. */
const flushDeadlineMs = 2000;

/** Starts to trace. It loads the OpenTelemetry packages, so only `startTracing` imports it. */
export function openTracing(url: string, { settings, application, version, log }: TracingOptions): Tracing {
  const { OTEL_SERVICE_NAME: name = `sluice-${application}` } = settings;
  const exporter = new ReportingExporter(new OTLPTraceExporter({ url }), url, log);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': name })),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('sluice', version);
  const onStatement = (message: unknown) => {
    if (isStatementEnd(message)) recordStatement(tracer, message);
  };
  storeChannels.statement.subscribe(onStatement);
  return {
    requests: new RequestSpans(tracer),
    stop: async () => {
      storeChannels.statement.unsubscribe(onStatement);
      const deadline = pause(flushDeadlineMs, undefined, { ref: false });
      await Promise.race([provider.shutdown(), deadline.then(() => exporter.giveUp())]).catch(() => {});
    },
  };
}

function samplerOf(settings: TracingSettings): Sampler {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  const root = rootSampler(name.replace('parentbased_', ''), ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
