import { setting } from '@app/settings';
import { z } from 'zod';
import { isPathPrefix } from '../responses/path-prefix';
import { readCorsOrigins } from './cors-origins';
import { readTrustedProxies } from './trusted-proxies';

const trustedProxies = setting(
  readTrustedProxies,
  'must be off, or a list of addresses and networks such as loopback,10.0.0.0/8',
);

const corsOrigins = setting(
  readCorsOrigins,
  'must be off, *, or a list of origins such as https://app.example.com',
);

/** Settings for proxies and browsers. */
export const httpSettings = {
  TRUST_PROXY: trustedProxies
    .prefault('off')
    .describe(
      'Trusted reverse proxies: `off`, or their addresses and networks. The client address is taken from their `X-Forwarded-For`, for rate limits and the log.',
    )
    .meta({ examples: ['loopback,10.0.0.0/8'] }),
  PATH_PREFIX: z
    .string()
    .refine(isPathPrefix, { error: 'must be a path without a slash at its end, such as /api' })
    .or(z.literal(''))
    .default('')
    .describe(
      'Path prefix that a reverse proxy strips; `Location`, `Link` and the reference have it. A trusted proxy may override it by `X-Forwarded-Prefix`.',
    )
    .meta({ examples: ['/api'] }),
  CORS_ORIGINS: corsOrigins
    .prefault('off')
    .describe(
      'Origins allowed by CORS: `off`, a list of exact origins, or `*` for all, without credentials. The origin of a rejected preflight is logged once.',
    )
    .meta({ examples: ['https://app.example.com,http://localhost:5173'] }),
};
