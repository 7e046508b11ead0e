import { z } from 'zod';

const url = () =>
  z.url({ protocol: /^https?$/, error: 'must be a URL such as http://localhost:4318' }).optional();

/** The sampler names that OpenTelemetry defines. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * The OpenTelemetry variables that this program reads. The OpenTelemetry packages read further variables themselves.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url()
    .describe('OTLP/HTTP endpoint of the OpenTelemetry collector. Tracing is off by default.')
    .meta({ examples: ['http://localhost:4318'] }),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .optional()
    .describe('Service name in traces; default `sluice-` and the name of the program, such as `sluice-api`.')
    .meta({ examples: ['orders'] }),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, { error: `must be one of ${samplerNames.join(', ')}` })
    .default('parentbased_always_on')
    .describe('Sampler of traces; `parentbased_…` follows the caller where it sends `traceparent`.')
    .meta({ examples: ['parentbased_traceidratio'] }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .transform(Number)
    .refine((ratio) => ratio >= 0 && ratio <= 1, { error: 'must be a number from 0 to 1' })
    .prefault('1')
    .describe('Sampling ratio of `…traceidratio`, from 0 to 1.')
    .meta({ examples: ['0.1'] }),
};
