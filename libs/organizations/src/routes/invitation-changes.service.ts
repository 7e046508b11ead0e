import {
  type AccountRow,
  AccountsStore,
  addressSubject,
  type Admission,
  checkStillSignedIn,
  emailKey,
  type Limiter,
  Mailer,
  mailSubject,
  MailTokens,
  Revocations,
  type SignedInUser,
  SignInServices,
  type SignUpInvitations,
  type SignUpRequest,
} from '@app/accounts';
import { missing } from '@app/http-errors';
import { Outbox } from '@app/mail';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { membershipKey } from '../access/membership-cache';
import type { Member } from '../access/membership.guard';
import {
  AlreadyMemberError,
  InsufficientRoleError,
  InvalidInvitationError,
  InvitationEmailError,
  TooManyInvitationsError,
} from '../errors';
import { OrganizationEvents } from '../events/organization-events';
import { invitationMail } from '../invitations/invitation-mail';
import { InvitationsStore } from '../invitations/invitations.store';
import type { OrganizationInvitationRow } from '../invitations/organization-invitation.table';
import { MembersStore } from '../members/members.store';
import { type OrganizationOfMember, OrganizationsStore } from '../organization/organizations.store';
import { OrganizationRoles } from '../roles';
import { OrganizationChanges } from './organization-changes.service';

const DAY = 24 * 60 * 60 * 1000;
const LIFETIME_DAYS = 7;
/** The maximum number that an organization can have open. */
export const MAX_INVITATIONS = 100;

/** Makes, withdraws and accepts invitations. */
@Injectable()
export class InvitationChanges implements SignUpInvitations {
  private readonly perOrganization: Limiter;
  private readonly perRecipient: Limiter;

  constructor(
    private readonly changes: OrganizationChanges,
    private readonly revocations: Revocations,
    private readonly roles: OrganizationRoles,
    private readonly organizations: OrganizationsStore,
    private readonly members: MembersStore,
    private readonly invitations: InvitationsStore,
    private readonly events: OrganizationEvents,
    private readonly accounts: AccountsStore,
    private readonly tokens: MailTokens,
    private readonly mailer: Mailer,
    private readonly outbox: Outbox,
    services: SignInServices,
  ) {
    this.perOrganization = services.limiter({ limit: 100, windowSeconds: 86_400 });
    this.perRecipient = services.limiter({ limit: 5, windowSeconds: 86_400 });
  }

  /**
   * Invites an e-mail. A second invitation to the e-mail renews the first, whose link ends.
   *
   * @throws InsufficientRoleError unless the caller's role covers the future member's role
   * @throws AlreadyMemberError, TooManyInvitationsError
   */
  invite(member: Member, email: string, role: string, ip: string): Promise<OrganizationInvitationRow> {
    return this.changes.change(member, async ({ db, organizationId, actorId, role: own }) => {
      if (!this.roles.permits(own, 'member:invite') || !this.roles.covers(own, role))
        throw new InsufficientRoleError();
      const key = emailKey(email) ?? email;
      const account = await this.accounts.findByEmail(email, db);
      if (account && (await this.members.roleOf(organizationId, account.id, db)) !== undefined)
        throw new AlreadyMemberError();
      await this.invitations.remove(organizationId, { emailKey: key }, db);
      await this.countInvitation(organizationId, email, ip, db);
      const { token, hash: tokenHash } = this.tokens.make('invitation');
      const createdAt = new Date();
      const expiresAt = new Date(createdAt.getTime() + LIFETIME_DAYS * DAY);
      const facts = { organizationId, email, emailKey: key, role, tokenHash, invitedBy: actorId };
      const invitation = await this.invitations.insert({ ...facts, createdAt, expiresAt }, db);
      const { name = '' } = (await this.organizations.find(organizationId, actorId, db)) ?? {};
      const link = this.mailer.linkTo('accept-invitation', token);
      const text = invitationMail({
        organization: name,
        inviter: member.username,
        link,
        days: LIFETIME_DAYS,
      });
      const cause = addressSubject(ip);
      const goodForMs = LIFETIME_DAYS * DAY;
      await this.outbox.add({ kind: 'invitation', recipient: email, cause, goodForMs, ...text }, db);
      await this.events.record({ kind: 'invitation-created', organizationId, actorId, ip, role }, db);
      return invitation;
    });
  }

  /** @throws NotFoundError */
  withdraw(member: Member, id: number, ip: string): Promise<void> {
    return this.changes.change(member, async ({ db, organizationId, actorId, role }) => {
      if (!this.roles.permits(role, 'member:invite')) throw new InsufficientRoleError();
      if (!(await this.invitations.remove(organizationId, { id }, db))) missing('invitation', id);
      await this.events.record({ kind: 'invitation-withdrawn', organizationId, actorId, ip }, db);
    });
  }

  /**
   * Makes the caller a member.
   *
   * @throws InvalidInvitationError if the token is unknown, used, withdrawn or expired
   * @throws InvitationEmailError if the caller has a different e-mail
   * @throws TooManyOrganizationsError, and the {@link checkStillSignedIn} errors
   */
  accept(caller: SignedInUser, token: string, ip: string): Promise<OrganizationOfMember> {
    return this.revocations.inTransaction(async (db, revoke) => {
      await checkStillSignedIn(caller, db);
      const account = await this.accounts.findById(caller.userId, db);
      const invitation = await this.invitations.findByToken(this.tokens.hashOf('invitation', token), db);
      if (account === undefined || invitation === undefined) throw new InvalidInvitationError();
      if (account.emailKey !== invitation.emailKey) throw new InvitationEmailError();
      await this.addMember(account, invitation, ip, db);
      const { organizationId } = invitation;
      revoke('membership', membershipKey(organizationId, account.id));
      const organization = await this.organizations.find(organizationId, account.id, db);
      return organization ?? missing('organization', organizationId);
    });
  }

  /** Finds the invitation for a sign-up, by its token or by an e-mail that an identity provider has verified. */
  async find(
    { email, isEmailProven, invitation: token }: SignUpRequest,
    db: Queries,
  ): Promise<Admission | undefined> {
    const key = email === undefined ? undefined : emailKey(email);
    if (key === undefined) return undefined;
    const invitation =
      token === undefined
        ? isEmailProven && (await this.invitations.findByEmail(key, db))
        : await this.invitations.findByToken(this.tokens.hashOf('invitation', token), db);
    if (!invitation || invitation.emailKey !== key) return undefined;
    return {
      provesEmail: token !== undefined,
      accept: (account, transaction) => this.addMember(account, invitation, undefined, transaction),
    };
  }

  /** Uses an invitation once: when several uses coincide, only the first finds it. */
  private async addMember(
    { id: accountId }: Pick<AccountRow, 'id'>,
    { id, organizationId, role }: OrganizationInvitationRow,
    ip: string | undefined,
    db: Queries,
  ): Promise<void> {
    const exists = await this.organizations.lock(organizationId, db);
    if (!exists || !(await this.invitations.remove(organizationId, { id }, db)))
      throw new InvalidInvitationError();
    if ((await this.members.roleOf(organizationId, accountId, db)) !== undefined) return;
    await this.changes.checkRoom(accountId, db);
    await this.members.insert({ organizationId, accountId, role, createdAt: new Date() }, db);
    await this.events.record(
      { kind: 'member-added', organizationId, accountId, actorId: accountId, ip, role },
      db,
    );
  }

  private async countInvitation(
    organizationId: number,
    email: string,
    ip: string,
    db: Queries,
  ): Promise<void> {
    const open = await this.invitations.list(organizationId, { limit: MAX_INVITATIONS, offset: 0 }, db);
    const waits = [
      open.length === MAX_INVITATIONS ? DAY : 0,
      await this.perOrganization.count(`invitation:organization:${organizationId}`, db),
      await this.perRecipient.countAt(mailSubject('invitation', email), ip, db),
    ];
    const waitMs = Math.max(...waits);
    if (waitMs > 0) throw new TooManyInvitationsError(waitMs);
  }
}
