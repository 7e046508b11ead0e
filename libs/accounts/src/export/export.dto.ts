import { Exclude, Expose, Type } from 'class-transformer';

/** The account itself, without its secrets. */
@Exclude()
export class ExportedAccount {
  @Expose() id!: number;
  /** As entered. */
  @Expose() email!: string;
  @Expose() role!: string;
  @Expose() firstName!: string | null;
  @Expose() lastName!: string | null;
  @Expose() fullName!: string | null;
  @Expose() createdAt!: Date;
  @Expose() emailChangedAt!: Date | null;
  @Expose() emailVerifiedAt!: Date | null;
  @Expose() passwordChangedAt!: Date;
  /** Until when the latest link that sets a new password is valid. */
  @Expose() passwordResetExpiresAt!: Date | null;
  @Expose() lastLoginAt!: Date | null;
  /** Remote address of the last sign-in. */
  @Expose() lastLoginIp!: string | null;
}

/** A link that was sent by mail, without its token. */
@Exclude()
export class ExportedEmailLink {
  /** `confirm` or `undo`. */
  @Expose() kind!: string;
  @Expose() email!: string;
  @Expose() expiresAt!: Date;
}

/** A mail of the outbox, without its text, whose links authenticate. */
@Exclude()
export class ExportedMail {
  /** The mail's kind, such as `password-reset`. */
  @Expose() kind!: string;
  @Expose() recipient!: string;
  @Expose() createdAt!: Date;
  /** When the server of the recipient accepted it. */
  @Expose() sentAt!: Date | null;
}

/** An event of the audit log about the account. */
@Exclude()
export class ExportedEvent {
  @Expose() kind!: string;
  @Expose() createdAt!: Date;
  /** Remote address of the request; null if another account acted, whose address it is. */
  @Expose() ip!: string | null;
  @Expose() isByAnother!: boolean;
  /** Such as `api`. */
  @Expose() program!: string | null;
  /** Further facts. */
  @Expose() @Type(() => Object) detail!: object;
}
