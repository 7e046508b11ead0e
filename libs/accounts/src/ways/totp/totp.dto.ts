import { IfGiven, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsBoolean, Matches } from 'class-validator';

/** How an enrolment begins. */
export class BeginTotp {
  /** Whether the response has the QR code, for a client that draws none. */
  @IfGiven()
  @IsBoolean()
  qr?: boolean;
}

/** A secret that an authenticator application stores; it is not shown again. */
@Exclude()
export class TotpEnrolment {
  /** In base32, to be typed into an application without a camera. */
  @Expose() secret!: string;
  /** `otpauth://totp/…`, with the secret. */
  @Expose() uri!: string;
  /** The URI as a QR code: an SVG document, on request. */
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
  /** Since when sign-ins require a code; null if it was not confirmed. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) confirmedAt!: Date | null;
}
