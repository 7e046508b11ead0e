import { IfGiven, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsBoolean, Matches } from 'class-validator';

/** The options for a new enrolment. */
export class BeginTotp {
  /** Whether the response includes a QR code. */
  @IfGiven()
  @IsBoolean()
  qr?: boolean;
}

/** The secret for an authenticator app, shown once. */
@Exclude()
export class TotpEnrolment {
  /** The secret in base32, for typing into an app. */
  @Expose() secret!: string;
  /** The `otpauth://totp/…` URI with the secret. */
  @Expose() uri!: string;
  /** The URI as a QR code (SVG), if requested. */
  @Expose() @Schema({ type: 'string' }, { isOptional: true }) qr?: string;
}

/** Confirms an enrolment. */
export class ConfirmTotp {
  /**
   * The six digits that the application shows.
   *
   * @example 042042
   */
  @Matches(/^[0-9]{6}$/, { message: '$property must be six digits' })
  code!: string;
}

/** The authenticator application of an account, without its secret. */
@Exclude()
export class ExportedTotp {
  @Expose() createdAt!: Date;
  /** The time since which sign-ins require a code; null before the enrolment is confirmed. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) confirmedAt!: Date | null;
}
