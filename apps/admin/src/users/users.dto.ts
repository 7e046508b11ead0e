import { User } from '@app/accounts';
import { IfGiven } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose } from 'class-transformer';
import { IsBoolean, IsIn } from 'class-validator';

/** A user as operators see them. */
@Exclude()
export class OperatorsUser extends User {
  @Expose() @Schema({ type: ['string', 'null'] }) firstName!: string | null;
  @Expose() @Schema({ type: ['string', 'null'] }) lastName!: string | null;
  /** First and last name, joined when the account was created; null for users who signed up themselves. */
  @Expose() @Schema({ type: ['string', 'null'] }) fullName!: string | null;
  /** ISO 8601, UTC, milliseconds; null while the account is enabled. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) disabledAt!: Date | null;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** What operators can change about an account. Absent fields are not changed. */
export class ChangeAccountState {
  @IfGiven()
  @IsIn(['user', 'admin'])
  role?: 'user' | 'admin';

  @IfGiven()
  @IsBoolean()
  disabled?: boolean;
}
