import { type AuditKind, auditKinds } from '@app/accounts';
import { PaginationQuery } from '@app/paging';
import { RowId } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';

/** Something that happened to an account, as operators read it. */
@Exclude()
export class AuditEvent {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** Such as `sign-in`. */
  @Expose() @Schema({ enum: auditKinds }) kind!: string;
  /** Whom it happened to; null if there was no account. The account may be gone. */
  @Expose() @Schema({ type: ['integer', 'null'] }) accountId!: number | null;
  /** Who did it, where that is somebody else. */
  @Expose() @Schema({ type: ['integer', 'null'] }) actorId!: number | null;
  /** Where the request came from. */
  @Expose() @Schema({ type: ['string', 'null'] }) ip!: string | null;
  /** What else is worth knowing; never a secret. */
  @Expose() @Type(() => Object) detail!: object;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** Which events, and which page of them. */
export class AuditQuery extends PaginationQuery {
  @IsOptional()
  @RowId()
  accountId?: number;

  @IsOptional()
  @IsIn(auditKinds)
  kind?: AuditKind;
}
