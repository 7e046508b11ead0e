import type { SignedInUser } from '@app/accounts';
import { Caller, DirectSignIn, Recent, Verified } from '@app/auth';
import { ErrorResponses, RateLimit, Returns, Tag } from '@app/contract';
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
  Post,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Member } from '../access/membership.guard';
import { members } from '../access/members.facet';
import { TooManyOrganizationsError } from '../errors';
import { OrganizationChanges } from './organization-changes.service';
import type { OrganizationRoles } from '../roles';
import {
  ByOrganization,
  NameOrganization,
  Organization,
  TransferOrganization,
} from '../organization/organizations.dto';
import { type OrganizationOfMember, OrganizationsStore } from '../organization/organizations.store';

/** Makes the organization controller, which knows the program's roles. */
export function organizationsController(roles: OrganizationRoles): Type {
  /** The caller's organizations. */
  @Tag('organizations', "The caller's organizations, with their members, invitations and audit logs.")
  @Controller('organizations')
  class OrganizationsController {
    constructor(
      private readonly organizations: OrganizationsStore,
      private readonly changes: OrganizationChanges,
    ) {}

    /** Creates an organization. The caller becomes the owner. */
    @Post()
    @DirectSignIn(false)
    @Verified()
    @RateLimit('20/1h')
    @Returns(Organization)
    @ErrorResponses(TooManyOrganizationsError)
    async create(
      @Body() { name }: NameOrganization,
      @Caller() caller: SignedInUser,
      @Ip() ip: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<OrganizationOfMember> {
      const organization = await this.changes.create(caller, name, ip);
      void reply.header('Location', `/organizations/${organization.id}`);
      return organization;
    }

    /** Lists the caller's organizations. */
    @Get()
    @Returns(Page(Organization))
    async list(
      @Query() query: PaginationQuery,
      @Caller() { userId }: SignedInUser,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      return paginate(query, reply, (slice) => this.organizations.list(userId, slice));
    }

    /** Returns a caller's organization. */
    @Get(':organizationId')
    @members.set(roles.names)
    @Returns(Organization)
    async read(
      @Param() { organizationId }: ByOrganization,
      @Caller() { userId }: Member,
    ): Promise<OrganizationOfMember> {
      return (
        (await this.organizations.find(organizationId, userId)) ?? missing('organization', organizationId)
      );
    }

    /** Renames an organization. */
    @Patch(':organizationId')
    @members.set(roles.permitting('organization:write'))
    @DirectSignIn(false)
    @Returns(Organization)
    async rename(
      @Param() { organizationId }: ByOrganization,
      @Body() { name }: NameOrganization,
      @Caller() caller: Member,
      @Ip() ip: string,
    ): Promise<OrganizationOfMember> {
      return (await this.changes.rename(caller, name, ip)) ?? missing('organization', organizationId);
    }

    /** Makes a member the owner. The caller gets the member's former role. */
    @Post(':organizationId/transfer')
    @members.set([roles.owner])
    @DirectSignIn()
    @Recent('15m')
    @HttpCode(200)
    @Returns(Organization)
    async transfer(
      @Param() { organizationId }: ByOrganization,
      @Body() { accountId }: TransferOrganization,
      @Caller() caller: Member,
      @Ip() ip: string,
    ): Promise<OrganizationOfMember> {
      return (await this.changes.transfer(caller, accountId, ip)) ?? missing('organization', organizationId);
    }

    /** Deletes an organization with everything that belongs to it. */
    @Delete(':organizationId')
    @members.set(roles.permitting('organization:delete'))
    @DirectSignIn()
    @Recent('15m')
    @HttpCode(204)
    async remove(
      @Param() _organization: ByOrganization,
      @Caller() caller: Member,
      @Ip() ip: string,
    ): Promise<void> {
      await this.changes.remove(caller, ip);
    }
  }

  return OrganizationsController;
}
