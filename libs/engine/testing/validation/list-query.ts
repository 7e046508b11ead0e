import { IsInt, Max, Min } from 'class-validator';
import { ownReading } from '../../src/shapes/transforms/own-reading';

/** A rule as programs declare them: digits are converted to an integer. */
function Digits(): PropertyDecorator {
  return (target, property) => {
    const toInteger = (sent: unknown) =>
      typeof sent === 'string' && /^\d+$/.test(sent) ? Number(sent) : sent;
    ownReading(toInteger, { type: 'integer', minimum: 0 })(target, String(property));
    IsInt()(target, String(property));
  };
}

/** A query of numbers with defaults, as lists have it. */
export class ListQuery {
  @Max(100)
  @Min(1)
  @Digits()
  limit: number = 10;

  @Min(1)
  @Digits()
  page: number = 1;

  /** The number of items before this page. */
  get offset(): number {
    return (this.page - 1) * this.limit;
  }
}

/** The path parameters of one row. */
export class NumberedPath {
  @Digits()
  id!: number;
}
