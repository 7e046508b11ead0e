import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** A mail in the outbox. */
@Exclude()
export class OutboxMail {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /**
   * The mail's kind, such as `password-reset`.
   *
   * @example password-reset
   */
  @Expose() kind!: string;
  @Expose() recipient!: string;
  /**
   * The plain text; null after the last attempt, while a mail server is set, and for callers without a sign-in in the last 15
   * minutes.
   *
   * @example Confirm your e-mail: https://example.com/confirm#k7Qm2xVtR9sYbNcLwE4uHj
   */
  @Expose() @Schema({ type: ['string', 'null'] }) text!: string | null;
  /**
   * The number of attempts to send the mail.
   *
   * @example 1
   */
  @Expose() @Schema({ type: 'integer' }) attempts!: number;
  /**
   * The last failure: the SMTP status and command.
   *
   * @example 550 after RCPT TO
   */
  @Expose() @Schema({ type: ['string', 'null'] }) failure!: string | null;
  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** The last time to send: ISO 8601, UTC, milliseconds. */
  @Expose() expiresAt!: Date;
  /** The next attempt: ISO 8601, UTC, milliseconds; null after the last attempt. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) dueAt!: Date | null;
  /** The time at which the server accepted the mail: ISO 8601, UTC, milliseconds. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) sentAt!: Date | null;
}
