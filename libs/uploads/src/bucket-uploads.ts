import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { openBucket } from '@app/service';
import { UploadStore } from './upload-store';

/** Keeps uploaded files in an S3 bucket, under random names. Programs on several machines share it. */
export class BucketUploads extends UploadStore {
  private opened: ReturnType<typeof openBucket> | undefined;

  /** @param url such as `s3://bucket/prefix` */
  constructor(private readonly url: string) {
    super();
  }

  override async write(bytes: AsyncIterable<Uint8Array>, type: string): Promise<string> {
    const key = randomUUID();
    await (await this.bucket).write(key, Readable.from(bytes), type);
    return key;
  }

  override async read(key: string): Promise<Readable | undefined> {
    try {
      return await (await this.bucket).read(key);
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  override async remove(key: string): Promise<void> {
    await (await this.bucket).remove(key);
  }

  private get bucket() {
    return (this.opened ??= openBucket(this.url));
  }
}
