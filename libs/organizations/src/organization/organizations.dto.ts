import { NoControlCharacters, NoLongerThan, RowId, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsInt, Max, Min, MinLength } from 'class-validator';

/** A caller's organization. */
@Exclude()
export class Organization {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** @example Kestrel Labs */
  @Expose() name!: string;
  /**
   * The caller's role.
   *
   * @example owner
   */
  @Expose() role!: string;
  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** A new organization, or a new name for an organization. */
export class NameOrganization {
  /** @example Kestrel Labs */
  @MinLength(1)
  @NoLongerThan(100)
  @NoControlCharacters()
  name!: string;
}

/** The member who becomes the owner. */
export class TransferOrganization {
  /** The member's account id. */
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  accountId!: number;
}

/** The path parameter that names an organization. */
export class ByOrganization {
  @RowId()
  organizationId!: number;
}

/** An organization in a member's export. */
@Exclude()
export class ExportedOrganization extends Organization {}
