import { Roles } from '@app/auth';
import { ById, Returns } from '@app/contract';
import { missing } from '@app/http-errors';
import { Page, paginate, PaginationQuery } from '@app/paging';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OrganizationEvents } from '../events/organization-events';
import { OrganizationEvent } from '../events/organization-events.dto';
import { OrganizationMember } from '../members/members.dto';
import { MembersStore } from '../members/members.store';
import { OperatedOrganization, OrganizationsQuery } from '../organization/operators.dto';
import type { OrganizationRow } from '../organization/organization.table';
import { OrganizationsStore } from '../organization/organizations.store';

/** The organizations, for administrators. */
@Controller('organizations')
@Roles('admin')
export class OperatorOrganizationsController {
  constructor(
    private readonly organizations: OrganizationsStore,
    private readonly members: MembersStore,
    private readonly events: OrganizationEvents,
  ) {}

  /** Lists organizations, oldest first. */
  @Get()
  @Returns(Page(OperatedOrganization))
  async list(@Query() query: OrganizationsQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return paginate(query, reply, (slice) => this.organizations.listAll(slice));
  }

  /** Returns an organization. */
  @Get(':id')
  @Returns(OperatedOrganization)
  async read(@Param() { id }: ById): Promise<OrganizationRow> {
    return (await this.organizations.findAny(id)) ?? missing('organization', id);
  }

  /** Lists an organization's events, newest first. */
  @Get(':id/audit')
  @Returns(Page(OrganizationEvent))
  async listEvents(
    @Param() { id }: ById,
    @Query() query: PaginationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, (slice) => this.events.list(id, slice));
  }

  /** Lists an organization's members, by account id. */
  @Get(':id/members')
  @Returns(Page(OrganizationMember))
  async listMembers(
    @Param() { id }: ById,
    @Query() query: PaginationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return paginate(query, reply, (slice) => this.members.list(id, slice));
  }
}
