import { count, orOff } from '@app/settings';

/** The setting for the check of responses. */
export const responseCheckSettings = {
  RESPONSE_CHECK: orOff(count({ from: 1, to: 1_000_000 }))
    .prefault('off')
    .describe(
      'Checks a response in this many against the OpenAPI document, and logs a mismatch. `npm run start:dev` sets `1`.',
    )
    .meta({ examples: ['1000'] }),
};
