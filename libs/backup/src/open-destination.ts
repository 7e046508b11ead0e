import { openBucket } from '@app/service';
import type { Destination } from './destination';

/** Opens a destination. @param to as in `BACKUP_TO`: a folder, or `s3://bucket/prefix` */
export async function openDestination(to: string): Promise<Destination> {
  if (isFolder(to)) return new (await import('./folder-destination.js')).FolderDestination(to);
  return openBucket(to);
}

/** Returns whether backups are kept in a folder on this machine. */
export function isFolder(to: string): boolean {
  return !to.startsWith('s3://');
}
