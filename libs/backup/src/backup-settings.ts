import type { persistenceSettings } from '@app/persistence';
import { type EnvironmentOf, orOff, seconds } from '@app/settings';
import { z } from 'zod';
import { isBucketUrl, type SettingsProblem } from '@app/service';

const recipientsProblem = 'must be off, or public keys of age, such as age1…,age1…';
const placeProblem = 'must be off, the path of a folder, or a bucket such as s3://backups/sluice';

/** The environment variables for backups. */
export const backupSettings = {
  BACKUP_TO: z
    .string()
    .transform(destination)
    .prefault('off')
    .describe(
      'Destination for backups: a folder on another disk, or an S3 bucket with AWS variables (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`).',
    )
    .meta({ examples: ['/backups', 's3://backups/sluice'] }),
  BACKUP_SCHEDULE: orOff(seconds({ from: '10m', to: '365d' }))
    .prefault('1d')
    .describe(
      'Interval between backups to `BACKUP_TO`, from 10m to 365d. A single program per store makes them.',
    )
    .meta({ examples: ['6h'], needs: 'BACKUP_TO' }),
  BACKUP_KEEP_FOR: orOff(seconds({ from: '10m', to: '3650d' }))
    .prefault('30d')
    .describe(
      'Retention period. Older backups are deleted, except the newest seven; `off` keeps every backup.',
    )
    .meta({ examples: ['90d'], needs: 'BACKUP_TO' }),
  BACKUP_CONTINUOUS: z
    .enum(['off', 'on'], { error: 'must be off or on' })
    .transform((text) => text === 'on')
    .prefault('off')
    .describe(
      'Continuous archiving, with SQLite: each change is copied to `BACKUP_TO` within seconds, for point-in-time recovery to any second.',
    )
    .meta({ examples: ['on'] }),
  BACKUP_RECIPIENTS: z
    .string()
    .transform(recipients)
    .prefault('off')
    .describe(
      'Public [age](https://age-encryption.org) keys that backups are encrypted to. Any matching private key decrypts.',
    )
    .meta({ examples: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'] }),
};

/** Checks that continuous backups are possible. PostgreSQL archives its WAL itself, and changes must follow a backup. */
export function continuousBackups(
  settings: EnvironmentOf<typeof backupSettings & Pick<typeof persistenceSettings, 'DATABASE_URL'>>,
): SettingsProblem | undefined {
  const name = 'BACKUP_CONTINUOUS';
  if (!settings.BACKUP_CONTINUOUS) return undefined;
  if (!settings.DATABASE_URL.startsWith('sqlite:'))
    return {
      name,
      problem: 'is on, but DATABASE_URL is PostgreSQL, which archives its WAL itself. Turn it off.',
    };
  if (settings.BACKUP_TO !== undefined && settings.BACKUP_SCHEDULE !== false) return undefined;
  return { name, problem: 'is on, but BACKUP_TO or BACKUP_SCHEDULE is off. Set both.' };
}

function destination(text: string, context: z.RefinementCtx): string | undefined {
  if (text === 'off') return undefined;
  if (/^\w+:\/\//.test(text) && !isBucketUrl(text))
    context.addIssue({ code: 'custom', message: placeProblem });
  return text;
}

function recipients(text: string, context: z.RefinementCtx): readonly string[] {
  if (text === 'off') return [];
  const publicKeys = text.split(',').map((publicKey) => publicKey.trim());
  if (!publicKeys.every((publicKey) => /^age1[02-9a-z]{20,}$/.test(publicKey)))
    context.addIssue({ code: 'custom', message: recipientsProblem });
  return publicKeys;
}
