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
  /** First and last name, as they were joined when the account was made; null for who signed up alone. */
  @Expose() @Schema({ type: ['string', 'null'] }) fullName!: string | null;
  /** ISO 8601, UTC, milliseconds; null while the account is open. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) disabledAt!: Date | null;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** What operators change about an account; what is absent stays as it is. */
export class ChangeAccountState {
  @IfGiven()
  @IsIn(['user', 'admin'])
  role?: 'user' | 'admin';

  @IfGiven()
  @IsBoolean()
  disabled?: boolean;
}
