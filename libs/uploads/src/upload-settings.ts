import { z } from 'zod';

/** Settings of uploaded files. */
export const uploadSettings = {
  UPLOAD_DIR: z
    .string()
    .min(1, { error: 'must be a folder' })
    .default('./data/uploads')
    .describe(
      'Folder of uploaded files, created if it does not exist. Programs that share a database share it.',
    )
    .meta({ examples: ['/srv/uploads'] }),
};
