import { Max, Min } from 'class-validator';
import { WholeNumber } from '../src/rules/whole-number';

/** A query of numbers with defaults, as lists have it. */
export class ListQuery {
  @Max(100)
  @Min(1)
  @WholeNumber()
  limit: number = 10;

  @Min(1)
  @WholeNumber()
  page: number = 1;

  /** The number of items before this page. */
  get offset(): number {
    return (this.page - 1) * this.limit;
  }
}
