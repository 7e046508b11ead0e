import type { WalPosition } from '@app/persistence';
import type { Destination } from './destination';

/** A separate archive with changes that follow a backup. */
export interface Segment {
  /** The id for a sequence of segments without a gap: the time at which it began. */
  readonly stream: string;
  /** The number in the sequence, from 0 without a gap. */
  readonly number: number;
  /** The moment of its last change. */
  readonly at: Date;
  /** The position up to which the WAL was read. */
  readonly position: WalPosition;
}

const segmentPrefix = 'wal-';
const segmentForm = /^wal-([^/]+)\/(\d{9})_([\dT.-]{23}Z)_(\d+)-([\da-f]{16})\.tar\.gz(?:\.age)?$/;

/** Returns a segment name that shows without a key where the next program continues, and which segments may be removed. */
export function segmentName({ stream, number, at, position }: Segment, isEncrypted: boolean): string {
  const count = String(number).padStart(9, '0');
  const ending = isEncrypted ? '.tar.gz.age' : '.tar.gz';
  return `${segmentPrefix}${stream}/${count}_${timeIn(at)}_${position.frame}-${position.checksum}${ending}`;
}

/** Lists segments in order, with the oldest stream first. @param stream default all */
export async function listSegments(
  destination: Destination,
  stream = '',
): Promise<readonly (Segment & { readonly name: string })[]> {
  const names = await destination.list(stream === '' ? segmentPrefix : `${segmentPrefix}${stream}/`);
  return names.flatMap((name) => {
    const [, of = '', number, at = '', frame, checksum = ''] = segmentForm.exec(name) ?? [];
    if (number === undefined) return [];
    const position = { frame: Number(frame), checksum };
    return [{ name, stream: of, number: Number(number), at: readTime(at), position }];
  });
}

/** Formats a date as ISO 8601 without colons, because some file systems refuse colons in names. */
export function timeIn(date: Date): string {
  return date.toISOString().replaceAll(':', '-');
}

/** Parses a date that {@link timeIn} has formatted. */
export function readTime(text: string): Date {
  return new Date(text.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
}
