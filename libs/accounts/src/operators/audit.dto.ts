import { PaginationQuery } from '@app/paging';
import { IfGiven, IsMoment, RowId, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { type AuditKind, recordedKinds } from '../audit/audit-log';

/** An audit event. */
@Exclude()
export class AuditEvent {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** The event's kind, such as `sign-in`. */
  @Expose() @Schema({ enum: recordedKinds }) kind!: string;
  /** The affected account's id, also after its deletion; null without an account. */
  @Expose() @Schema({ type: ['integer', 'null'] }) accountId!: number | null;
  /** The acting account's id, if a different account acted. */
  @Expose() @Schema({ type: ['integer', 'null'] }) actorId!: number | null;
  /** The client's address. */
  @Expose() @Schema({ type: ['string', 'null'] }) ip!: string | null;
  /**
   * The recording program, such as `api`; null for events from earlier releases.
   *
   * @example api
   */
  @Expose() @Schema({ type: ['string', 'null'] }) program!: string | null;
  /** Further facts, without secrets. */
  @Expose() @Type(() => Object) @Schema({ type: 'object' }) detail!: object;
  /** The time of the event: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** The event's block number; null until it is sealed. */
  @Expose() @Schema({ type: ['integer', 'null'] }) block!: number | null;
}

/** The time range for an export. */
export class ExportQuery {
  /** The start, inclusive; default: the oldest event. */
  @IfGiven()
  @IsMoment()
  from?: string;

  /** The end, exclusive; default: the newest event. */
  @IfGiven()
  @IsMoment()
  to?: string;
}

/** The expected head for a check. */
export class AuditCheckQuery {
  /** The `head` from an earlier check, which must still be in the chain. */
  @IfGiven()
  @Matches(/^[\w-]{43}$/)
  head?: string;
}

/** A fault in an event block. */
@Exclude()
export class AuditFault {
  @Expose() @Schema({ type: 'integer' }) block!: number;
  /** @example an event was changed */
  @Expose() problem!: string;
}

/** The result of an audit-log check. */
@Exclude()
export class AuditCheck {
  /** Whether the log is intact. */
  @Expose() isIntact!: boolean;
  /** The checked blocks, including blocks that record deletions. */
  @Expose() @Schema({ type: 'integer' }) blocks!: number;
  /** The number of sealed events that were compared. */
  @Expose() @Schema({ type: 'integer' }) events!: number;
  /** The number of blocks with events that were deleted after their retention. */
  @Expose() @Schema({ type: 'integer' }) prunedBlocks!: number;
  /** The number of unsealed events, at most 10,000. */
  @Expose() @Schema({ type: 'integer' }) unsealed!: number;
  /**
   * The last block's hash; keep it elsewhere for the next check. Null without a block.
   *
   * @example lU7cT3s5mJ2XqYH0aWb8dPzKoE1rVnGf9tQiC6xMwZk
   */
  @Expose() @Schema({ type: ['string', 'null'] }) head!: string | null;
  /** The first twenty faults. */
  @Expose()
  @Type(() => AuditFault)
  faults!: AuditFault[];
}

/** The audit log's filters and page. */
export class AuditQuery extends PaginationQuery {
  @IsOptional()
  @RowId()
  accountId?: number;

  @IsOptional()
  @IsIn(recordedKinds)
  kind?: AuditKind;
}
