import { isBucketUrl } from '@app/service';
import { z } from 'zod';

/** The settings for uploaded files. */
export const uploadSettings = {
  UPLOADS: z
    .string()
    .refine(isBucketUrl, { error: 'must be a bucket such as s3://uploads/sluice' })
    .optional()
    .describe('S3 bucket for uploaded files, with the AWS variables of `BACKUP_TO`; default: `UPLOAD_DIR`.')
    .meta({ examples: ['s3://uploads/sluice'] }),
  UPLOAD_DIR: z
    .string()
    .min(1, { error: 'must be a folder' })
    .default('./data/uploads')
    .describe('Folder for uploaded files, created if missing. Programs on one database share it.')
    .meta({ examples: ['/srv/uploads'] }),
};
