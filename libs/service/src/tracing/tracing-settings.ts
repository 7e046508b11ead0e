import { z } from 'zod';

const url = () =>
  z.url({ protocol: /^https?$/, error: 'must be a URL such as http://localhost:4318' }).optional();

/** As OpenTelemetry names them. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * The variables of OpenTelemetry that are read here; its packages read further ones themselves.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url()
    .describe(
      'A collector of OpenTelemetry, to which traces are sent by OTLP over HTTP. Without it nothing is traced.',
    )
    .meta({ examples: ['http://localhost:4318'] }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url()
    .describe('The same for traces alone, with its path.')
    .meta({ examples: ['http://localhost:4318/v1/traces'] }),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the program in traces; by default `sluice-` and its own, such as `sluice-api`.')
    .meta({ examples: ['orders'] }),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .describe('With `true` nothing is traced.')
    .meta({ examples: ['true'] }),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, { error: `must be one of ${samplerNames.join(', ')}` })
    .default('parentbased_always_on')
    .describe('Which requests are traced; `parentbased_…` follows the caller where it sends `traceparent`.')
    .meta({ examples: ['parentbased_traceidratio'] }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .transform(Number)
    .refine((ratio) => ratio >= 0 && ratio <= 1, { error: 'must be a number from 0 to 1' })
    .prefault('1')
    .describe('The share of requests that `…traceidratio` traces.')
    .meta({ examples: ['0.1'] }),
};
