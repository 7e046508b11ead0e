import { closedWriters, type RowOf } from '@app/contract';
import type { WireClass } from '@app/engine';
import type { Portion, Slice } from '@app/paging';

/** A part of an export: rows with the same kind, such as an account's orders. */
export interface ExportPart<Sent extends object> {
  /** The document member, such as `orders`. */
  readonly name: string;
  /** The class of each row, which decides which fields are sent. */
  readonly as: WireClass<Sent>;
  /** Reads a slice of the rows by their ids, in either direction. */
  readonly read: (accountId: number, slice: Slice) => Promise<ExportRow<Sent>[] | Portion<ExportRow<Sent>>>;
}

/** A row of a part. */
export type ExportRow<Sent extends object> = RowOf<Sent> & { readonly id: number };

/** Reads a part as a JSON list's text, in pieces. */
export type WritePart = (accountId: number) => AsyncGenerator<string>;

/** The number of rows that are read at once. With the largest row, it bounds the memory for an export. */
const PAGE = 100;

/**
 * Makes a function that writes a part for the account, whose audience is `self`. It reads a page when the page before was taken.
 *
 * @throws OpenWireClassError for a class that would send more than it exposes
 */
export function writePart<Sent extends object>({ as, read }: ExportPart<Sent>): WritePart {
  const writerOf = closedWriters(as);
  return async function* listText(accountId) {
    const write = writerOf({ userId: accountId });
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

function portionOf<Row>(rows: Row[] | Portion<Row>): Portion<Row> {
  return Array.isArray(rows) ? { rows: rows, isCut: false } : rows;
}
