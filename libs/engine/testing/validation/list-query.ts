import { IsInt, Max, Min } from 'class-validator';
import { ownReading } from '../../src/shapes/transforms/own-reading';

/** Declares a rule like programs do: digits are converted to an integer. */
function Digits(): PropertyDecorator {
  return (target, property) => {
    const toInteger = (sent: unknown) =>
      typeof sent === 'string' && /^\d+$/.test(sent) ? Number(sent) : sent;
    ownReading(toInteger, { type: 'integer', minimum: 0 })(target, String(property));
    IsInt()(target, String(property));
  };
}

/** A query with numbers and defaults, like for lists. */
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

/** A row's path parameters. */
export class NumberedPath {
  @Digits()
  id!: number;
}
