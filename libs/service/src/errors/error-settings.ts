import { onOrOff } from '@app/settings';
import { z } from 'zod';

/** Settings for error bodies. */
export const errorSettings = {
  ERROR_SHAPE: z
    .enum(['list', 'details'], { error: 'must be list or details' })
    .default('list')
    .describe('Body of a 400: `list` for one list of messages, `details` for messages per field.')
    .meta({ examples: ['details'] }),
  ERROR_MESSAGES: onOrOff()
    .default('on')
    .describe('Validation messages in a 400; `off` sends only the status and its name.')
    .meta({ examples: ['off'] }),
};
