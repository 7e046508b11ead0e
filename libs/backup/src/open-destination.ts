import type { Destination } from './destination';

const s3Scheme = 's3://';

/** Opens a destination. @param to as in `BACKUP_TO`: a folder, or `s3://bucket/prefix` */
export async function openDestination(to: string): Promise<Destination> {
  if (isFolder(to)) return new (await import('./folder-destination.js')).FolderDestination(to);
  const [bucket = '', ...prefix] = to.slice(s3Scheme.length).split('/');
  // The client takes memory and time to load, which only those pay who use it.
  return new (await import('./s3-destination.js')).S3Destination(bucket, prefix.filter(Boolean).join('/'));
}

/** Returns whether backups are kept in a folder on this machine. */
export function isFolder(to: string): boolean {
  return !to.startsWith(s3Scheme);
}
