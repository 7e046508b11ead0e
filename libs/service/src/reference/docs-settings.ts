import { z } from 'zod';

/** The settings for the API reference. */
export const docsSettings = {
  DOCS: z
    .enum(['on', 'signed-in', 'off'], { error: 'must be on, signed-in or off' })
    .default('on')
    .describe(
      'Access to `/openapi.json`: everybody (`on`), authenticated callers (`signed-in`) or nobody (`off`). The page `/docs` loads it after a sign-in, or does not exist.',
    )
    .meta({ examples: ['signed-in'] }),
};
