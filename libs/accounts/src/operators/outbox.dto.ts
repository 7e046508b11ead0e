import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** A mail of the outbox. */
@Exclude()
export class OutboxMail {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /**
   * Such as `password-reset`.
   *
   * @example password-reset
   */
  @Expose() kind!: string;
  @Expose() recipient!: string;
  /**
   * Plain text; null once it was sent or given up, for every mail while a mail server is set, and for a caller who did not sign in
   * within the last 15 minutes.
   *
   * @example Confirm your e-mail: https://example.com/confirm#k7Qm2xVtR9sYbNcLwE4uHj
   */
  @Expose() @Schema({ type: ['string', 'null'] }) text!: string | null;
  /**
   * How often a program began to send it.
   *
   * @example 1
   */
  @Expose() @Schema({ type: 'integer' }) attempts!: number;
  /**
   * Why the last attempt failed: status and command.
   *
   * @example 550 after RCPT TO
   */
  @Expose() @Schema({ type: ['string', 'null'] }) failure!: string | null;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** ISO 8601, UTC, milliseconds: it is not sent after this. */
  @Expose() expiresAt!: Date;
  /** ISO 8601, UTC, milliseconds: when it is sent next; null once it was sent or given up. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) dueAt!: Date | null;
  /** ISO 8601, UTC, milliseconds: when the server accepted it. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) sentAt!: Date | null;
}
