import { Schema } from '@app/contract';
import type { WireClass } from '@app/engine';
import { Exclude, Expose } from 'class-transformer';
import type { UserClasses, UserView } from '../account/user-classes';

/** The user fields that operators see. */
export interface OperatorsView extends UserView {
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  disabledAt: Date | null;
  createdAt: Date;
}

/** Makes the user class for operators. */
export function operatorsUser({ User }: UserClasses): WireClass<OperatorsView> {
  /** A user with the fields for operators. */
  @Exclude()
  class OperatorsUser extends User implements OperatorsView {
    @Expose() @Schema({ type: ['string', 'null'] }) firstName!: string | null;
    @Expose() @Schema({ type: ['string', 'null'] }) lastName!: string | null;
    /** The first and last name, joined at creation; null for a self-registered user. */
    @Expose() @Schema({ type: ['string', 'null'] }) fullName!: string | null;
    /** The time at which an administrator disabled the account: ISO 8601, UTC, milliseconds; null if the account is enabled. */
    @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) disabledAt!: Date | null;
    /** The creation time: ISO 8601, UTC, milliseconds. */
    @Expose() createdAt!: Date;
  }

  return OperatorsUser;
}
