import { definePlugin } from '@app/service';
import type { SettingsOf } from '@app/settings';
import { BucketUploads } from './bucket-uploads';
import { DiskUploads } from './disk-uploads';
import { uploadErrors } from './errors';
import { uploadSettings } from './upload-settings';
import type { UploadStore } from './upload-store';
import { UploadsModule } from './uploads.module';

/** The options for uploads. */
export interface UploadsOptions<S> {
  /** Makes the file store from the program's settings; default: the bucket `UPLOADS`, or the folder `UPLOAD_DIR`. */
  readonly store?: (settings: S) => UploadStore;
}

/** The plugin that receives files for routes with `@Upload()`. */
export function uploads<S extends object>({ store }: UploadsOptions<S> = {}) {
  return definePlugin({
    name: 'uploads',
    settings: uploadSettings,
    errors: uploadErrors,
    modules: (settings: SettingsOf<typeof uploadSettings> & S) => [
      UploadsModule.forRoot(store?.(settings) ?? defaultStore(settings)),
    ],
  });
}

function defaultStore({
  UPLOADS: bucket,
  UPLOAD_DIR: folder,
}: SettingsOf<typeof uploadSettings>): UploadStore {
  return bucket === undefined ? new DiskUploads(folder) : new BucketUploads(bucket);
}
