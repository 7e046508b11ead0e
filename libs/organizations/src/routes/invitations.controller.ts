import type { SignedInUser } from '@app/accounts';
import { Caller, DirectSignIn, Verified } from '@app/auth';
import { ErrorResponses, RateLimit, Returns } from '@app/contract';
import { Page, paginate, PaginationQuery } from '@app/paging';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Ip,
  Param,
  Post,
  Query,
  Res,
  type Type,
} from '@nestjs/common';
import { IsEmail, IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { Member } from '../access/membership.guard';
import { members } from '../access/members.facet';
import {
  AlreadyMemberError,
  InvalidInvitationError,
  InvitationEmailError,
  TooManyInvitationsError,
  TooManyOrganizationsError,
} from '../errors';
import { AcceptInvitation, ByInvitation, Invitation } from '../invitations/invitations.dto';
import { InvitationsStore } from '../invitations/invitations.store';
import type { OrganizationInvitationRow } from '../invitations/organization-invitation.table';
import { ByOrganization, Organization } from '../organization/organizations.dto';
import type { OrganizationOfMember } from '../organization/organizations.store';
import type { OrganizationRoles } from '../roles';
import { InvitationChanges } from './invitation-changes.service';

/** Makes the invitation controllers, which know the program's roles. */
export function invitationControllers(roles: OrganizationRoles): readonly Type[] {
  /** An e-mail to invite. */
  class Invite {
    /** @example ada@example.com */
    @IsEmail()
    email!: string;

    /**
     * The future member's role.
     *
     * @example member
     */
    @IsIn(roles.names)
    role!: string;
  }

  /** An organization's invitations. */
  @Controller('organizations/:organizationId/invitations')
  @members.set(roles.permitting('member:invite'))
  class InvitationsController {
    constructor(
      private readonly invitations: InvitationsStore,
      private readonly changes: InvitationChanges,
    ) {}

    /**
     * Mails an invitation, which expires after seven days. Inviting the same e-mail again renews the invitation: the former
     * link ends. The caller's role must have every permission that the role has.
     */
    @Post()
    @DirectSignIn()
    @Verified()
    @Returns(Invitation)
    @ErrorResponses(AlreadyMemberError, TooManyInvitationsError)
    async create(
      @Param() { organizationId }: ByOrganization,
      @Body() { email, role }: Invite,
      @Caller() caller: Member,
      @Ip() ip: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<OrganizationInvitationRow> {
      const invitation = await this.changes.invite(caller, email, role, ip);
      void reply.header('Location', `/organizations/${organizationId}/invitations/${invitation.id}`);
      return invitation;
    }

    /** Lists the invitations, oldest first. */
    @Get()
    @Returns(Page(Invitation))
    async list(
      @Param() { organizationId }: ByOrganization,
      @Query() query: PaginationQuery,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      return paginate(query, reply, (slice) => this.invitations.list(organizationId, slice));
    }

    /** Withdraws an invitation. The mailed link stops working. */
    @Delete(':id')
    @DirectSignIn()
    @HttpCode(204)
    async remove(@Param() { id }: ByInvitation, @Caller() caller: Member, @Ip() ip: string): Promise<void> {
      await this.changes.withdraw(caller, id, ip);
    }
  }

  return [InvitationsController, AcceptedInvitationsController];
}

/** The acceptance of an invitation to an organization. */
@Controller('invitations')
class AcceptedInvitationsController {
  constructor(private readonly changes: InvitationChanges) {}

  /** Makes the caller a member. The caller must have the invited e-mail. */
  @Post('accept')
  @DirectSignIn()
  @Verified()
  @RateLimit('30/1m')
  @HttpCode(200)
  @Returns(Organization)
  @ErrorResponses(InvalidInvitationError, InvitationEmailError, TooManyOrganizationsError)
  accept(
    @Body() { token }: AcceptInvitation,
    @Caller() caller: SignedInUser,
    @Ip() ip: string,
  ): Promise<OrganizationOfMember> {
    return this.changes.accept(caller, token, ip);
  }
}
