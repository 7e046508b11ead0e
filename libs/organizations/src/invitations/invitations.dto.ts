import { NoLongerThan, RowId, Schema } from '@app/contract';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import { ByOrganization } from '../organization/organizations.dto';

/** An invitation to an organization. */
@Exclude()
export class Invitation {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** @example ada@example.com */
  @Expose() email!: string;
  /**
   * The future member's role.
   *
   * @example member
   */
  @Expose() role!: string;
  /** The inviting account's id. */
  @Expose() @Schema({ type: 'integer' }) invitedBy!: number;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** ISO 8601, UTC, milliseconds. */
  @Expose() expiresAt!: Date;
}

/** Accepts an invitation. */
export class AcceptInvitation {
  /** The token in the mailed link's fragment. */
  @IsString()
  @NoLongerThan(256)
  token!: string;
}

/** The path parameters that name an invitation. */
export class ByInvitation extends ByOrganization {
  @RowId()
  id!: number;
}
