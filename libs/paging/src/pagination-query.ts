import { IsOptional, Max, Min } from 'class-validator';
import { IsCursor } from './cursor';
import { WholeNumber } from '@app/contract';

/** The most rows that a page number may skip; a cursor has no such limit. */
export const maxOffset = 10_000;

/** The query of every list: `?limit=10&page=2`, or `?limit=10&after=<cursor>` for keyset pagination. */
export class PaginationQuery {
  /** Items per page, 1 to 100; default 10. */
  @Max(100)
  @Min(1)
  @WholeNumber()
  limit: number = 10;

  /** The page number, from 1. */
  @Min(1)
  @WholeNumber()
  page: number = 1;

  /** A cursor from an earlier response's `Link` header. */
  @IsOptional()
  @IsCursor()
  after?: string;

  /** The sort order, such as `-createdAt` for descending. Lists with a single order reject this parameter. */
  readonly sort?: string;

  /** The number of items before this page; at most the largest safe integer. */
  get offset(): number {
    return Math.min((this.page - 1) * this.limit, Number.MAX_SAFE_INTEGER);
  }
}
