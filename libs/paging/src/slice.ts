import type { Filter } from './filterable';
import type { SortValue } from './sort-key';
import type { Sort } from './sortable';

/** The part of a list to read, in the list's own order or in the caller's order. */
export interface Slice {
  /** The most rows. */
  readonly limit: number;
  /** The number of rows to skip. The store reads skipped rows too, so the cost grows with the offset. */
  readonly offset: number;
  /** The id of the row after which the slice starts (keyset pagination, constant cost); `offset` is ignored then. */
  readonly after?: number;
  /** The order requested by the caller; `undefined` for the list's own order. */
  readonly sort?: Sort;
  /** The sorted value of the row with the id `after`, if `sort` and `after` are set. */
  readonly afterValue?: SortValue;
  /** Whether `afterValue` is the beginning of a longer text. */
  readonly isAfterCut?: boolean;
  /** The caller's filters, if there are any. */
  readonly filter?: Filter;
}
