import { Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { organizationKinds } from './organization-event.table';

/** An organization event. */
@Exclude()
export class OrganizationEvent {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** The event's kind, such as `member-added`. */
  @Expose() @Schema({ enum: [...organizationKinds] }) kind!: string;
  /** The affected account's id; null if the event affects no account. */
  @Expose() @Schema({ type: ['integer', 'null'] }) accountId!: number | null;
  /** The acting account's id. */
  @Expose() @Schema({ type: 'integer' }) actorId!: number;
  /** The new role; null if the event is not about a role. */
  @Expose() @Schema({ type: ['string', 'null'] }) role!: string | null;
  /** The time of the event: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}
