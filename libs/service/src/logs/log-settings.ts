import { z } from 'zod';

/** The log levels from most to least verbose, as pino names them. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Settings for the log. */
export const logSettings = {
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
    .default('info')
    .describe('Lowest level that is logged. `debug` includes the stack of a failed start.')
    .meta({ examples: ['debug'] }),
  LOG_FILE: z
    .string()
    .optional()
    .describe('File to which log lines are appended instead of standard output; reopened on SIGHUP.')
    .meta({ examples: ['/var/log/sluice/api.log'] }),
  LOG_CALLERS: z
    .enum(['all', 'user', 'off'], { error: 'must be all, user or off' })
    .default('all')
    .describe(
      'Personal data in the access log: `all` for address and user id, `user` for the user id, or `off`.',
    )
    .meta({ examples: ['user'] }),
};
