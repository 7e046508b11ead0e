import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

/** The timeouts for S3 requests. A part that gets no response for so long is sent again, and then fails. */
const requestHandler = { connectionTimeout: 10_000, requestTimeout: 60_000, throwOnRequestTimeout: true };

/**
 * An S3 bucket, or a bucket on a server with S3's interface. Credentials, region and endpoint have the usual AWS sources:
 * `AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`, or the machine's role.
 */
export class S3Bucket {
  /** The bucket's name with the prefix, for messages. */
  readonly place: string;
  private readonly bucket: string;
  private readonly folder: string;
  private readonly client: S3Client;

  constructor(bucket: string, prefix: string) {
    const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
    // Another server rarely has a name for each bucket.
    const forcePathStyle = (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
    this.client = new S3Client({ forcePathStyle, requestHandler });
    this.bucket = bucket;
    this.folder = prefix === '' ? '' : `${prefix}/`;
    this.place = ['s3:/', bucket, ...(prefix === '' ? [] : [prefix])].join('/');
  }

  async list(prefix: string): Promise<readonly string[]> {
    const names: string[] = [];
    const query = { Bucket: this.bucket, Prefix: this.folder + prefix };
    for await (const page of paginateListObjectsV2({ client: this.client }, query))
      for (const { Key: key = '' } of page.Contents ?? []) names.push(key.slice(this.folder.length));
    return names.toSorted();
  }

  /**
   * Writes an object in parts. If a part fails, the object is not created.
   *
   * @param type the media type
   */
  async write(name: string, content: Readable, type?: string): Promise<void> {
    const params = { ...this.object(name), Body: content, ContentType: type };
    await new Upload({ client: this.client, params, queueSize: 2 }).done();
  }

  /** Opens an object. @throws an error with the name `NoSuchKey` if it does not exist */
  async read(name: string): Promise<Readable> {
    const { Body: body } = await this.client.send(new GetObjectCommand(this.object(name)));
    if (!(body instanceof Readable)) throw new TypeError(`${this.place}/${name} has no content`);
    return body;
  }

  /** Removes an object, if it exists. */
  async remove(name: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(name)));
  }

  private object(name: string) {
    return { Bucket: this.bucket, Key: this.folder + name };
  }
}
