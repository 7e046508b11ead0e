import { Exclude, Expose, Type } from 'class-transformer';

/** The account itself, without its secrets. */
@Exclude()
export class ExportedAccount {
  @Expose() id!: number;
  /** The e-mail as entered. */
  @Expose() email!: string;
  @Expose() role!: string;
  @Expose() firstName!: string | null;
  @Expose() lastName!: string | null;
  @Expose() fullName!: string | null;
  @Expose() createdAt!: Date;
  @Expose() emailChangedAt!: Date | null;
  @Expose() emailVerifiedAt!: Date | null;
  @Expose() passwordChangedAt!: Date;
  /** The time until which the latest link that sets a new password is valid. */
  @Expose() passwordResetExpiresAt!: Date | null;
  @Expose() lastLoginAt!: Date | null;
  /** The last sign-in's remote address. */
  @Expose() lastLoginIp!: string | null;
}

/** A link that was sent by mail, without its token. */
@Exclude()
export class ExportedEmailLink {
  /** The link's effect: `confirm` confirms an e-mail, `undo` undoes its change. */
  @Expose() kind!: string;
  @Expose() email!: string;
  @Expose() expiresAt!: Date;
}

/** A mail about the account. Its text is omitted, because its links authenticate. */
@Exclude()
export class ExportedMail {
  /** The mail's kind, such as `password-reset`. */
  @Expose() kind!: string;
  @Expose() recipient!: string;
  @Expose() createdAt!: Date;
  /** The time at which the recipient's server accepted the mail; null before. */
  @Expose() sentAt!: Date | null;
}

/** An audit log event about the account. */
@Exclude()
export class ExportedEvent {
  @Expose() kind!: string;
  @Expose() createdAt!: Date;
  /** The request's remote address; null if a different account acted, because the address belongs to that account. */
  @Expose() ip!: string | null;
  @Expose() isByAnother!: boolean;
  /** The program that recorded the event, such as `api`. */
  @Expose() program!: string | null;
  /** Further facts about the event. */
  @Expose() @Type(() => Object) detail!: object;
}

/** An identity of the account. Its issuer's tokens are accepted, or users sign in through it. */
@Exclude()
export class ExportedIdentity {
  @Expose() issuer!: string;
  @Expose() createdAt!: Date;
}
