import { type AuditKind, auditKinds } from '@app/accounts';
import { PaginationQuery } from '@app/paging';
import { RowId } from '@app/validation';
import { Schema } from '@app/shapes';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';

/** An event of the audit log. */
@Exclude()
export class AuditEvent {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** Such as `sign-in`. */
  @Expose() @Schema({ enum: auditKinds }) kind!: string;
  /** The affected account, which may be deleted; null if there was none. */
  @Expose() @Schema({ type: ['integer', 'null'] }) accountId!: number | null;
  /** The account that acted, if that is another one. */
  @Expose() @Schema({ type: ['integer', 'null'] }) actorId!: number | null;
  /** Remote address of the request. */
  @Expose() @Schema({ type: ['string', 'null'] }) ip!: string | null;
  /** Further facts; never a secret. */
  @Expose() @Type(() => Object) @Schema({ type: 'object' }) detail!: object;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** Filters and page of the audit log. */
export class AuditQuery extends PaginationQuery {
  @IsOptional()
  @RowId()
  accountId?: number;

  @IsOptional()
  @IsIn(auditKinds)
  kind?: AuditKind;
}
