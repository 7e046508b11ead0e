import { Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { Matches } from 'class-validator';

/** A factor for signing in to the account. */
@Exclude()
export class Factor {
  /** @example totp */
  @Expose() id!: string;
  /**
   * The factor's kind, as in sign-in requests.
   *
   * @example totp
   */
  @Expose({ name: 'factor' }) kind!: string;
  /** The factor's name, which the owner chose; null without a name. */
  @Expose() @Schema({ type: ['string', 'null'] }) name!: string | null;
  /** The enrolment time: ISO 8601, UTC, milliseconds; null if unknown. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) createdAt!: Date | null;
  /** The remaining uses, for example unused recovery codes; null if unlimited. */
  @Expose() @Schema({ type: ['integer', 'null'] }) remaining!: number | null;
}

/** The account's factors. */
@Exclude()
export class Factors {
  @Expose()
  @Type(() => Factor)
  factors!: Factor[];
}

/** A factor in a path. */
export class ByFactor {
  /**
   * The factor's id, from the factor list.
   *
   * @example totp
   */
  @Matches(/^[a-z][a-z0-9-]{0,63}$/, { message: '$property must be the id of a factor' })
  factor!: string;
}
