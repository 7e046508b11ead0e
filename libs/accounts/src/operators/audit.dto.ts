import { PaginationQuery } from '@app/paging';
import { IfGiven, IsMoment, RowId, Schema } from '@app/contract';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { type AuditKind, recordedKinds } from '../audit/audit-log';

/** An event of the audit log. */
@Exclude()
export class AuditEvent {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** Such as `sign-in`. */
  @Expose() @Schema({ enum: recordedKinds }) kind!: string;
  /** The affected account, which may be deleted; null if there was none. */
  @Expose() @Schema({ type: ['integer', 'null'] }) accountId!: number | null;
  /** The account that acted, if that is another one. */
  @Expose() @Schema({ type: ['integer', 'null'] }) actorId!: number | null;
  /** Remote address of the request. */
  @Expose() @Schema({ type: ['string', 'null'] }) ip!: string | null;
  /**
   * The program that recorded it, such as `api`; null for events of earlier releases.
   *
   * @example api
   */
  @Expose() @Schema({ type: ['string', 'null'] }) program!: string | null;
  /** Further facts; never a secret. */
  @Expose() @Type(() => Object) @Schema({ type: 'object' }) detail!: object;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** The number of its block in the chain of hashes; null until it is sealed. */
  @Expose() @Schema({ type: ['integer', 'null'] }) block!: number | null;
}

/** The time of an export. */
export class ExportQuery {
  /** Inclusive; without it from the oldest. */
  @IfGiven()
  @IsMoment()
  from?: string;

  /** Exclusive; without it to the newest. */
  @IfGiven()
  @IsMoment()
  to?: string;
}

/** What a check compares with. */
export class AuditCheckQuery {
  /** The `head` of an earlier check, which must be in the chain still. */
  @IfGiven()
  @Matches(/^[\w-]{43}$/)
  head?: string;
}

/** What is wrong with a block of events. */
@Exclude()
export class AuditFault {
  @Expose() @Schema({ type: 'integer' }) block!: number;
  /** @example an event was changed */
  @Expose() problem!: string;
}

/** The result of a check of the audit log. */
@Exclude()
export class AuditCheck {
  /** Whether no fault was found. */
  @Expose() isIntact!: boolean;
  /** With those that record the deletion of events. */
  @Expose() @Schema({ type: 'integer' }) blocks!: number;
  /** Sealed events that were compared. */
  @Expose() @Schema({ type: 'integer' }) events!: number;
  /** Blocks whose events were deleted after their retention, as a later block records. */
  @Expose() @Schema({ type: 'integer' }) prunedBlocks!: number;
  /** Events that are not sealed yet, at most 10,000. */
  @Expose() @Schema({ type: 'integer' }) unsealed!: number;
  /**
   * The hash of the last block, to be kept elsewhere; null without a block.
   *
   * @example lU7cT3s5mJ2XqYH0aWb8dPzKoE1rVnGf9tQiC6xMwZk
   */
  @Expose() @Schema({ type: ['string', 'null'] }) head!: string | null;
  /** The first twenty. */
  @Expose()
  @Type(() => AuditFault)
  faults!: AuditFault[];
}

/** Filters and page of the audit log. */
export class AuditQuery extends PaginationQuery {
  @IsOptional()
  @RowId()
  accountId?: number;

  @IsOptional()
  @IsIn(recordedKinds)
  kind?: AuditKind;
}
