import { IfGiven, NoLongerThan, Schema } from '@app/contract';
import { Filterable, PaginationQuery, Sortable } from '@app/paging';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';

/** An organization as operators see it. */
@Exclude()
export class OperatedOrganization {
  @Expose() @Schema({ type: 'integer' }) id!: number;
  /** @example Kestrel Labs */
  @Expose() name!: string;
  /** The creation time: ISO 8601, UTC, milliseconds. */
  @Expose() createdAt!: Date;
  /** The deletion time; null while it exists. */
  @Expose() @Schema({ type: ['string', 'null'], format: 'date-time' }) deletedAt!: Date | null;
}

/** The query parameters for listing organizations. */
@Sortable(OperatedOrganization, 'name')
@Filterable('name')
export class OrganizationsQuery extends PaginationQuery {
  /** The exact name of the organizations to list. */
  @IfGiven()
  @IsString()
  @NoLongerThan(100)
  name?: string;
}
