import type { WalPosition } from '@app/persistence';
import type { Destination } from './destination';

/** Changes that follow a backup, as an archive of their own. */
export interface Segment {
  /** Identifies a sequence of segments in which nothing is missing: when it began. */
  readonly stream: string;
  /** From 0, without a gap. */
  readonly number: number;
  /** Of its last change. */
  readonly at: Date;
  /** Where the WAL was read to. */
  readonly position: WalPosition;
}

const segmentPrefix = 'wal-';
const segmentForm = /^wal-([^/]+)\/(\d{9})_([\dT.-]{23}Z)_(\d+)-([\da-f]{16})\.tar\.gz(?:\.age)?$/;

/** A name that says what has to be known without a key: where the next program goes on, and what may be removed. */
export function segmentName({ stream, number, at, position }: Segment, isEncrypted: boolean): string {
  const count = String(number).padStart(9, '0');
  const ending = isEncrypted ? '.tar.gz.age' : '.tar.gz';
  return `${segmentPrefix}${stream}/${count}_${timeIn(at)}_${position.frame}-${position.checksum}${ending}`;
}

/** In their order, oldest stream first. @param stream default all */
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

/** ISO 8601 without colons, which not every name may have. */
export function timeIn(date: Date): string {
  return date.toISOString().replaceAll(':', '-');
}

/** Reads what {@link timeIn} wrote. */
export function readTime(text: string): Date {
  return new Date(text.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
}
