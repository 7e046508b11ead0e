import { count } from '@app/settings';
import { z } from 'zod';

/** The settings for the address and environment of a program. */
export const listenSettings = {
  PORT: count({ from: 0, to: 65_535 })
    .prefault('3000')
    .describe('Port to listen on; `0` picks a free port. Programs on one machine need different ports.')
    .meta({ examples: ['3001'] }),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'Address to listen on. The default accepts local connections only; `0.0.0.0` listens on all interfaces.',
    )
    .meta({ examples: ['0.0.0.0'] }),
  NODE_ENV: z
    .enum(['development', 'production', 'test'], { error: 'must be production, development or test' })
    .default('development')
    .describe(
      'Environment. With `production`, `DRAIN_DELAY` is 5s by default, and on PostgreSQL `JWT_SECRET` is required.',
    )
    .meta({ examples: ['production'] }),
};
