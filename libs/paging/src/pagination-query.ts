import { IsOptional, Max, Min } from 'class-validator';
import { IsCursor } from './cursor';
import { WholeNumber } from '@app/validation';

/** The most rows that a page can be asked for to skip by its number; a cursor reads on from any row. */
export const maxOffset = 10_000;

/** The query of every list: `?limit=10&page=2`, or `?limit=10&after=<cursor>` to read on at an even cost. */
export class PaginationQuery {
  /** How many things a page holds, 1 to 100. */
  @Max(100)
  @Min(1)
  @WholeNumber()
  limit: number = 10;

  /** Which page, counted from 1. */
  @Min(1)
  @WholeNumber()
  page: number = 1;

  /** The place after which to read on: the cursor of an earlier answer. */
  @IsOptional()
  @IsCursor()
  after?: string;

  /** How many things stand before this page; never more than a store's whole number can hold. */
  get offset(): number {
    return Math.min((this.page - 1) * this.limit, Number.MAX_SAFE_INTEGER);
  }
}
