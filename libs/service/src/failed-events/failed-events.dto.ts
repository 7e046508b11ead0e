import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';

/** An event whose handler failed. */
@Exclude()
export class FailedEvent {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /**
   * The event's name.
   *
   * @example order.paid
   */
  @Expose() name!: string;
  /**
   * The handler's name.
   *
   * @example shipping
   */
  @Expose() handler!: string;
  /** The key that orders events. Later events with this key wait for this event. */
  @Expose() key!: string;
  /**
   * The number of times that the handler was tried.
   *
   * @example 3
   */
  @Expose() @Schema({ type: 'integer' }) attempts!: number;
  /**
   * The error of the last attempt.
   *
   * @example Error: the carrier is unavailable
   */
  @Expose() @Schema({ type: ['string', 'null'] }) failure!: string | null;
  /** The time of the event: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** The next attempt: ISO 8601, UTC, milliseconds; null after the last attempt. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) dueAt!: Date | null;
}
