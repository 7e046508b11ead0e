import { isEmail } from 'class-validator';
import { z } from 'zod';

/** What the first administrator is made from; both or neither. */
export const accountsSettings = {
  ADMIN_EMAIL: z
    .string()
    .refine((text) => isEmail(text), { error: 'must be an e-mail address, such as admin@example.com' })
    .optional()
    .describe('E-mail of the first administrator, made at start if no account has it yet.')
    .meta({ examples: ['admin@example.com'] }),
  ADMIN_PASSWORD: z
    .string()
    .min(8, { error: 'must be at least 8 characters long' })
    .max(256, { error: 'must be at most 256 characters long' })
    .optional()
    .describe('Password of the first administrator. Goes with `ADMIN_EMAIL`.')
    .meta({ secret: true }),
};
