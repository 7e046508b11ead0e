import { User } from '@app/accounts';
import { IfGiven } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsBoolean, IsIn } from 'class-validator';

/** A user with all fields for operators. */
@Exclude()
export class OperatorsUser extends User {
  @Expose() @Schema({ type: ['string', 'null'] }) firstName!: string | null;
  @Expose() @Schema({ type: ['string', 'null'] }) lastName!: string | null;
  /** First and last name, joined at creation; null for a self-registered user. */
  @Expose() @Schema({ type: ['string', 'null'] }) fullName!: string | null;
  /** ISO 8601, UTC, milliseconds; null if the account is enabled. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) disabledAt!: Date | null;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** A change of role or status; absent fields stay unchanged. */
export class ChangeAccountState {
  @IfGiven()
  @IsIn(['user', 'admin'])
  role?: 'user' | 'admin';

  @IfGiven()
  @IsBoolean()
  disabled?: boolean;
}
