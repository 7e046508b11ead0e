import { z } from 'zod';

/** The settings for uploaded files. */
export const uploadSettings = {
  UPLOAD_DIR: z
    .string()
    .min(1, { error: 'must be a folder' })
    .default('./data/uploads')
    .describe('Folder for uploaded files, created if missing. Programs on one database share it.')
    .meta({ examples: ['/srv/uploads'] }),
};
