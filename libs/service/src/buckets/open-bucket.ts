import type { S3Bucket } from './s3-bucket';

const scheme = 's3://';

/** Returns whether a text is the URL of a bucket, such as `s3://bucket/prefix`. */
export function isBucketUrl(text: string): boolean {
  return /^s3:\/\/[\d.a-z-]{3,63}(?:\/|$)/.test(text);
}

/** Opens a bucket. @param url as {@link isBucketUrl} accepts it */
export async function openBucket(url: string): Promise<S3Bucket> {
  const [bucket = '', ...prefix] = url.slice(scheme.length).split('/');
  // The client takes memory and time to load, which only those pay who use it.
  return new (await import('./s3-bucket.js')).S3Bucket(bucket, prefix.filter(Boolean).join('/'));
}
