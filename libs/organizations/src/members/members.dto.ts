import { RowId, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { ByOrganization } from '../organization/organizations.dto';

/** An organization member. */
@Exclude()
export class OrganizationMember {
  /** The member's account id. */
  @Expose() @Schema({ type: 'integer' }) accountId!: number;
  @Expose() email!: string;
  /** @example member */
  @Expose() role!: string;
  /** The time when the member joined; ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
}

/** The path parameters that name a member. */
export class ByMember extends ByOrganization {
  @RowId()
  accountId!: number;
}
