import type { RowOf } from '@app/contract';
import { closedWriter, type WireClass } from '@app/engine';
import type { Portion, Slice } from '@app/paging';

/** What an export has of one kind, such as the orders of an account. */
export interface ExportPart<Sent extends object> {
  /** The member of the document, such as `orders`. */
  readonly name: string;
  /** The class of each row: it decides what is sent. */
  readonly as: WireClass<Sent>;
  /** Reads a slice of the rows by their ids, in either direction. */
  readonly read: (accountId: number, slice: Slice) => Promise<ExportRow<Sent>[] | Portion<ExportRow<Sent>>>;
}

/** A row of a part. */
export type ExportRow<Sent extends object> = RowOf<Sent> & { readonly id: number };

/** Reads a part as the text of a JSON list, in pieces. */
export type WritePart = (accountId: number) => AsyncGenerator<string>;

/** Rows that are read at once: with the largest row, the memory of an export, whatever its size. */
const PAGE = 100;

/**
 * Makes the text of a part. A page is read when the page before was taken.
 *
 * @throws OpenWireClassError for a class that would send more than it exposes
 */
export function writePart<Sent extends object>({ as, read }: ExportPart<Sent>): WritePart {
  const write = closedWriter(as);
  return async function* listText(accountId) {
    let separator = '[';
    let after: number | undefined;
    for (;;) {
      const { rows, isCut } = portionOf(await read(accountId, { limit: PAGE, offset: 0, after }));
      if (rows.length > 0) yield separator + rows.map(write).join(',');
      const isLast = rows.length === 0 || (!isCut && rows.length < PAGE);
      if (rows.length > 0) separator = ',';
      if (isLast) return yield separator === '[' ? '[]' : ']';
      after = rows.at(-1)?.id;
    }
  };
}

function portionOf<Row>(found: Row[] | Portion<Row>): Portion<Row> {
  return Array.isArray(found) ? { rows: found, isCut: false } : found;
}
