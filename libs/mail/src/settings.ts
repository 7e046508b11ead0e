import { isEmail } from 'class-validator';
import type { EnvironmentOf } from '@app/settings';
import { z } from 'zod';
import { readSmtpUrl } from './smtp-url';

/** This library's environment variables. */
export const mailSettings = {
  SMTP_URL: z
    .string()
    .refine((url) => readSmtpUrl(url) !== undefined, {
      error:
        'must be smtp://host:587 or smtps://host:465, with user:password@ before the host if the server requires them',
    })
    .optional()
    .describe(
      'The mail server. `smtp` uses STARTTLS if the server offers it, and requires it with a user and password; `smtps` uses TLS from the start. By default mails stay in the outbox.',
    )
    .meta({ examples: ['smtps://sluice:…@smtp.example.com:465'], secret: true }),
  MAIL_FROM: z
    .string()
    .refine((text) => isEmail(text, { allow_display_name: true }), {
      error: 'must be an e-mail address, with a name or without, such as Sluice <no-reply@example.com>',
    })
    .optional()
    .describe('The sender of mails. Required with `SMTP_URL`.')
    .meta({ examples: ['Sluice <no-reply@example.com>'] }),
};

/** The mail settings. */
export type MailEnvironment = EnvironmentOf<typeof mailSettings>;
