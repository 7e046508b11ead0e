import { availableParallelism } from 'node:os';
import { type Rate, readRate } from '@app/contract';
import { z } from 'zod';
import { type CorsOrigins, readCorsOrigins } from './cors-origins';
import { isPathPrefix } from '../ingress/path-prefix';
import { tracingSettings } from '../tracing/tracing-settings';
import { readTrustedProxies, type TrustedProxies } from './trusted-proxies';

/** From most to least verbose, as pino names them. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const wholePort = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a whole number from 0 to 65535', abort: true })
  .transform(Number)
  .refine((port) => port <= 65_535, { error: 'must be a whole number from 0 to 65535' });

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, { error, abort: true })
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error });
};

const metricsPortProblem = 'must be off, or a port from 0 to 65535';

function metricsPort(text: string, context: z.RefinementCtx): number | false {
  if (text === 'off') return false;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) context.addIssue({ code: 'custom', message: metricsPortProblem });
  return port;
}

const workersProblem = 'must be auto, or a whole number from 1 to 64';

function workers(text: string, context: z.RefinementCtx): number {
  if (text === 'auto') return availableParallelism();
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 64) context.addIssue({ code: 'custom', message: workersProblem });
  return count;
}

const delayProblem = 'must be off, or a whole number of milliseconds from 10 to 60000';

function maxDelay(text: string, context: z.RefinementCtx): number | false {
  if (text === 'off') return false;
  const delay = /^\d{2,5}$/.test(text) ? Number(text) : 0;
  if (delay < 10 || delay > 60_000) context.addIssue({ code: 'custom', message: delayProblem });
  return delay;
}

const rateProblem = 'must be off, or a number of requests in a period of up to a day, such as 600/1m';

function rate(text: string, context: z.RefinementCtx): Rate | undefined {
  if (text === 'off') return undefined;
  const read = readRate(text);
  if (read === undefined) context.addIssue({ code: 'custom', message: rateProblem });
  return read;
}

const trustProblem = 'must be off, or a list of addresses and networks such as loopback,10.0.0.0/8';

function trustedProxies(text: string, context: z.RefinementCtx): TrustedProxies {
  const proxies = readTrustedProxies(text);
  if (proxies === undefined) context.addIssue({ code: 'custom', message: trustProblem });
  return proxies ?? false;
}

const corsProblem = 'must be off, *, or a list of origins such as https://app.example.com';
function corsOrigins(text: string, context: z.RefinementCtx): CorsOrigins {
  const origins = readCorsOrigins(text);
  if (origins === undefined) context.addIssue({ code: 'custom', message: corsProblem });
  return origins ?? false;
}

/** The settings of every program. */
export const serviceSettings = {
  PORT: wholePort
    .prefault('3000')
    .describe('Port to listen on; `0` picks a free one. Each program on a machine needs a port of its own.')
    .meta({ examples: ['3001'] }),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'Address to listen on. The default accepts local connections only; `0.0.0.0` listens on all interfaces.',
    )
    .meta({ examples: ['0.0.0.0'] }),
  TRUST_PROXY: z
    .string()
    .transform(trustedProxies)
    .prefault('off')
    .describe(
      'Trusted reverse proxies: `off`, or their addresses and networks. ' +
        'The client address is then taken from their `X-Forwarded-For`; attempts are counted and logged by it.',
    )
    .meta({ examples: ['loopback,10.0.0.0/8'] }),
  WORKERS: z
    .string()
    .transform(workers)
    .prefault('1')
    .describe(
      'Processes that serve the port together, each on a core: `auto` for one per core. Limits of a program, such as ' +
        '`MAX_IN_FLIGHT` and `DATABASE_POOL_SIZE`, are those of each.',
    )
    .meta({ examples: ['auto', '4'] }),
  MAX_DELAY: z
    .string()
    .transform(maxDelay)
    .prefault('250')
    .describe(
      'Milliseconds that requests may wait to be read before some are rejected with 503 and `Retry-After`; ' +
        '`off` for no limit. Health routes are never rejected.',
    )
    .meta({ examples: ['100', 'off'] }),
  MAX_IN_FLIGHT: wholeNumber(1, 100_000)
    .prefault('1000')
    .describe('Requests in flight at once; further ones are rejected with 503.')
    .meta({ examples: ['5000'] }),
  RATE_LIMIT: z
    .string()
    .transform(rate)
    .prefault('off')
    .describe(
      'Requests of one caller (user, API key, or else address) to all routes without an `@RateLimit` of their own; ' +
        'further ones are rejected with 429. `off` for no limit. Programs on one database count together.',
    )
    .meta({ examples: ['600/1m', '10000/1h'] }),
  CORS_ORIGINS: z
    .string()
    .transform(corsOrigins)
    .prefault('off')
    .describe(
      'Origins whose pages may call the program from a browser: `off`, a list of exact origins, or `*` for all, which then ' +
        'send no cookies. A refused preflight is logged, each origin once.',
    )
    .meta({ examples: ['https://app.example.com,http://localhost:5173'] }),
  PATH_PREFIX: z
    .string()
    .refine(isPathPrefix, { error: 'must be a path without a slash at its end, such as /api' })
    .or(z.literal(''))
    .default('')
    .describe(
      'What a proxy removes from the beginning of paths: `Location`, `Link` and the reference have it. A trusted proxy may name ' +
        'another one by `X-Forwarded-Prefix`.',
    )
    .meta({ examples: ['/api'] }),
  DOCS: z
    .enum(['on', 'signed-in', 'off'], { error: 'must be on, signed-in or off' })
    .default('on')
    .describe(
      'Who may read `/openapi.json`: everybody, callers, or nobody. The page `/docs` loads it after a sign-in, or does not exist.',
    )
    .meta({ examples: ['signed-in'] }),
  METRICS_PORT: z
    .string()
    .transform(metricsPort)
    .prefault('off')
    .describe(
      'Port on which `GET /metrics` is answered to everybody who reaches it, in the text format of Prometheus; `off` for none. ' +
        'Requests are not measured then, except by programs that have the route themselves (`admin`).',
    )
    .meta({ examples: ['9464'] }),
  DRAIN_DELAY: wholeNumber(0, 600_000)
    .prefault('0')
    .describe(
      'Milliseconds between SIGTERM and the shutdown: requests are served with `Connection: close`, while readiness is 503 and ' +
        'load balancers stop sending more. Longer than their health checks need to notice.',
    )
    .meta({ examples: ['5000'] }),
  LOG_FILE: z
    .string()
    .optional()
    .describe('File to which log lines are appended instead of standard output; reopened on SIGHUP.')
    .meta({ examples: ['/var/log/sluice/api.log'] }),
  UPLOAD_DIR: z
    .string()
    .min(1, { error: 'must be a folder' })
    .default('./data/uploads')
    .describe(
      'Folder of uploaded files, created if it does not exist. Programs that share a database share it.',
    )
    .meta({ examples: ['/srv/uploads'] }),
  LOG_CALLERS: z
    .enum(['all', 'user', 'off'], { error: 'must be all, user or off' })
    .default('all')
    .describe(
      'Personal data in the line of a request: `all` is the address of the caller and the id of the user, `user` the id alone.',
    )
    .meta({ examples: ['user'] }),
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
    .default('info')
    .describe('Lowest level that is logged. `debug` includes the stack of a failed start.')
    .meta({ examples: ['debug'] }),
  ERROR_SHAPE: z
    .enum(['list', 'details'], { error: 'must be list or details' })
    .default('list')
    .describe('Body of a 400: `list` is one list of messages, `details` has them per field.')
    .meta({ examples: ['details'] }),
  ERROR_MESSAGES: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe('Whether a 400 has validation messages; with `off` it has only the status and its name.')
    .meta({ examples: ['off'] }),
  ...tracingSettings,
  NODE_ENV: z
    .string()
    .default('development')
    .describe('Environment. With `production` on PostgreSQL, `JWT_SECRET` is required.')
    .meta({ examples: ['production'] }),
};
