import { Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { Matches } from 'class-validator';

/** A factor that an account can sign in with. */
@Exclude()
export class Factor {
  /** @example totp */
  @Expose() id!: string;
  /**
   * As sign-ins name it.
   *
   * @example totp
   */
  @Expose({ name: 'factor' }) kind!: string;
  /** Given by its owner; null if it has none. */
  @Expose() @Schema({ type: ['string', 'null'] }) name!: string | null;
  /** ISO 8601, UTC, milliseconds; null if it is not known. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) createdAt!: Date | null;
  /** How many uses are left, such as of recovery codes; null if that is not limited. */
  @Expose() @Schema({ type: ['integer', 'null'] }) remaining!: number | null;
}

/** The factors of an account. */
@Exclude()
export class Factors {
  @Expose()
  @Type(() => Factor)
  factors!: Factor[];
}

/** A factor in a path. */
export class ByFactor {
  /**
   * As the list of factors has it.
   *
   * @example totp
   */
  @Matches(/^[a-z][a-z0-9-]{0,63}$/, { message: '$property must be the id of a factor' })
  factor!: string;
}
