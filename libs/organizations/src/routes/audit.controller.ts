import { Returns } from '@app/contract';
import { Page, paginate, PaginationQuery } from '@app/paging';
import { Controller, Get, Param, Query, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { members } from '../access/members.facet';
import { OrganizationEvents } from '../events/organization-events';
import { OrganizationEvent } from '../events/organization-events.dto';
import { ByOrganization } from '../organization/organizations.dto';
import type { OrganizationRoles } from '../roles';

/** Makes the event controller. */
export function auditController(roles: OrganizationRoles): Type {
  /** An organization's audit log, for its members. */
  @Controller('organizations/:organizationId/audit')
  class OrganizationAuditController {
    constructor(private readonly events: OrganizationEvents) {}

    /** Lists the organization's events, newest first. */
    @Get()
    @members.set(roles.permitting('audit:read'))
    @Returns(Page(OrganizationEvent))
    async list(
      @Param() { organizationId }: ByOrganization,
      @Query() query: PaginationQuery,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      return paginate(query, reply, (slice) => this.events.list(organizationId, slice));
    }
  }

  return OrganizationAuditController;
}
