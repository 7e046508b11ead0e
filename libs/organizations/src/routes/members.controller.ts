import { Caller, DirectSignIn, Recent } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { missing } from '@app/http-errors';
import { Page, paginate, PaginationQuery } from '@app/paging';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Ip,
  Param,
  Patch,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import { IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { Member } from '../access/membership.guard';
import { members } from '../access/members.facet';
import { InsufficientRoleError, LastOwnerError } from '../errors';
import { ByOrganization } from '../organization/organizations.dto';
import type { OrganizationRoles } from '../roles';
import { ByMember, OrganizationMember } from '../members/members.dto';
import { type ListedMember, MembersStore } from '../members/members.store';
import { OrganizationChanges } from './organization-changes.service';

/** Makes the member controller, which knows the program's roles. */
export function membersController(roles: OrganizationRoles): Type {
  /** A new role for a member. */
  class ChangeMember {
    /** @example member */
    @IsIn(roles.names)
    role!: string;
  }

  /** An organization's members. */
  @Controller('organizations/:organizationId/members')
  class MembersController {
    constructor(
      private readonly all: MembersStore,
      private readonly changes: OrganizationChanges,
    ) {}

    /** Lists the members, by account id. */
    @Get()
    @members.set(roles.names)
    @Returns(Page(OrganizationMember))
    async list(
      @Param() { organizationId }: ByOrganization,
      @Query() query: PaginationQuery,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      return paginate(query, reply, (slice) => this.all.list(organizationId, slice));
    }

    /** Changes a member's role. The caller's role must have every permission that the former and the new role have. */
    @Patch(':accountId')
    @members.set(roles.permitting('member:write'))
    @DirectSignIn()
    @Recent('15m')
    @Returns(OrganizationMember)
    @ErrorResponses(LastOwnerError)
    async change(
      @Param() { accountId }: ByMember,
      @Body() { role }: ChangeMember,
      @Caller() caller: Member,
      @Ip() ip: string,
    ): Promise<ListedMember> {
      return (await this.changes.changeRole(caller, accountId, role, ip)) ?? missing('member', accountId);
    }

    /**
     * Removes a member. Every member may leave, and members who may change members remove members whose role has no further
     * permissions.
     */
    @Delete(':accountId')
    @members.set(roles.names)
    @DirectSignIn()
    @Recent('15m')
    @HttpCode(204)
    @ErrorResponses(LastOwnerError)
    async remove(
      @Param() { accountId }: ByMember,
      @Caller() caller: Member,
      @Ip() ip: string,
    ): Promise<void> {
      const { userId, membership } = caller;
      if (accountId !== userId && !roles.permits(membership.role, 'member:write'))
        throw new InsufficientRoleError();
      await this.changes.removeMember(caller, accountId, ip);
    }
  }

  return MembersController;
}
