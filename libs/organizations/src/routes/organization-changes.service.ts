import { checkStillSignedIn, type Revoke, Revocations, type SignedInUser } from '@app/accounts';
import { missing } from '@app/http-errors';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { membershipKey } from '../access/membership-cache';
import type { Member } from '../access/membership.guard';
import { InsufficientRoleError, LastOwnerError, TooManyOrganizationsError } from '../errors';
import { OrganizationEvents } from '../events/organization-events';
import { InvitationsStore } from '../invitations/invitations.store';
import { type OrganizationOfMember, OrganizationsStore } from '../organization/organizations.store';
import { OrganizationRoles } from '../roles';
import { type ListedMember, MembersStore } from '../members/members.store';

/** The maximum number that an account can have. */
export const MAX_ORGANIZATIONS = 100;

/** An organization change, in a transaction that has locked the organization. */
interface Change {
  readonly db: Queries;
  readonly revoke: Revoke;
  readonly organizationId: number;
  readonly actorId: number;
  /** The caller's role, which no other transaction changes before this transaction ends. */
  readonly role: string;
}

/**
 * Changes organizations and their members. Each change locks the organization and reads the caller's role again. When two
 * owners demote each other at the same time, only the first succeeds.
 */
@Injectable()
export class OrganizationChanges {
  constructor(
    private readonly revocations: Revocations,
    private readonly roles: OrganizationRoles,
    private readonly organizations: OrganizationsStore,
    private readonly members: MembersStore,
    private readonly invitations: InvitationsStore,
    private readonly events: OrganizationEvents,
  ) {}

  /**
   * Creates an organization. The caller becomes its owner.
   *
   * @throws TooManyOrganizationsError, and the {@link checkStillSignedIn} errors
   */
  create(caller: SignedInUser, name: string, ip: string): Promise<OrganizationOfMember> {
    return this.revocations.inTransaction(async (db) => {
      await checkStillSignedIn(caller, db);
      const { userId: accountId } = caller;
      await this.checkRoom(accountId, db);
      const organizationId = await this.organizations.insert(name, db);
      const role = this.roles.owner;
      const createdAt = new Date();
      await this.members.insert({ organizationId, accountId, role, createdAt }, db);
      await this.events.record({ kind: 'organization-created', organizationId, actorId: accountId, ip }, db);
      return { id: organizationId, name, role, createdAt };
    });
  }

  /** @throws InsufficientRoleError, NotFoundError if the caller has lost the role or the membership meanwhile */
  rename(member: Member, name: string, ip: string): Promise<OrganizationOfMember | undefined> {
    return this.change(member, async ({ db, organizationId, actorId, role }) => {
      if (!this.roles.permits(role, 'organization:write')) throw new InsufficientRoleError();
      await this.organizations.update(organizationId, { name }, db);
      await this.events.record({ kind: 'organization-changed', organizationId, actorId, ip }, db);
      return this.organizations.find(organizationId, actorId, db);
    });
  }

  /**
   * Gives a member another role. The invitations that the member made end.
   *
   * @throws InsufficientRoleError unless the caller's role covers the former and the new role
   * @throws LastOwnerError if the member is the last owner
   * @throws NotFoundError
   */
  changeRole(member: Member, accountId: number, role: string, ip: string): Promise<ListedMember | undefined> {
    return this.change(member, async (change) => {
      const { db, revoke, organizationId, actorId } = change;
      const before = await this.checkCovers(change, accountId);
      if (!this.roles.covers(change.role, role)) throw new InsufficientRoleError();
      if (before !== role) {
        await this.checkNotLastOwner(change, before);
        await this.members.setRole(organizationId, accountId, role, db);
        await this.invitations.remove(organizationId, { invitedBy: accountId }, db);
        revoke('membership', membershipKey(organizationId, accountId));
        const event = { organizationId, accountId, actorId, ip, role };
        await this.events.record({ kind: 'member-changed', ...event }, db);
      }
      return this.members.find(organizationId, accountId, db);
    });
  }

  /**
   * Removes a member, or the caller, who leaves. The invitations that the member made end.
   *
   * @throws InsufficientRoleError unless the caller leaves, or may change members and covers the member's role
   * @throws LastOwnerError if the member is the last owner
   * @throws NotFoundError
   */
  removeMember(member: Member, accountId: number, ip: string): Promise<void> {
    return this.change(member, async (change) => {
      const { db, revoke, organizationId, actorId } = change;
      const role = accountId === actorId ? change.role : await this.checkCovers(change, accountId);
      await this.checkNotLastOwner(change, role);
      await this.members.remove(organizationId, accountId, db);
      await this.invitations.remove(organizationId, { invitedBy: accountId }, db);
      revoke('membership', membershipKey(organizationId, accountId));
      await this.events.record({ kind: 'member-removed', organizationId, accountId, actorId, ip }, db);
    });
  }

  /**
   * Makes a member the owner. The caller gets the member's former role.
   *
   * @throws InsufficientRoleError if the caller is no owner any more
   * @throws NotFoundError
   */
  transfer(member: Member, accountId: number, ip: string): Promise<OrganizationOfMember | undefined> {
    return this.change(member, async ({ db, revoke, organizationId, actorId, role }) => {
      if (role !== this.roles.owner) throw new InsufficientRoleError();
      const before = await this.members.roleOf(organizationId, accountId, db);
      if (before === undefined) return missing('member', accountId);
      await this.members.setRole(organizationId, actorId, before, db);
      await this.members.setRole(organizationId, accountId, role, db);
      if (before !== role) await this.invitations.remove(organizationId, { invitedBy: actorId }, db);
      for (const id of [actorId, accountId]) revoke('membership', membershipKey(organizationId, id));
      const event = { organizationId, accountId, actorId, ip, role };
      await this.events.record({ kind: 'ownership-transferred', ...event }, db);
      return this.organizations.find(organizationId, actorId, db);
    });
  }

  /**
   * Deletes an organization: it does not exist from now on, and a job deletes its rows.
   *
   * @throws InsufficientRoleError
   */
  remove(member: Member, ip: string): Promise<void> {
    return this.change(member, async ({ db, revoke, organizationId, actorId, role }) => {
      if (!this.roles.permits(role, 'organization:delete')) throw new InsufficientRoleError();
      await this.organizations.update(organizationId, { deletedAt: new Date() }, db);
      revoke('membership', String(organizationId));
      await this.events.record({ kind: 'organization-deleted', organizationId, actorId, ip }, db);
    });
  }

  /** @throws TooManyOrganizationsError */
  async checkRoom(accountId: number, db: Queries): Promise<void> {
    if ((await this.members.countOf(accountId, MAX_ORGANIZATIONS, db)) === MAX_ORGANIZATIONS)
      throw new TooManyOrganizationsError();
  }

  /** Runs a change after it has locked the organization. */
  change<T>(member: Member, work: (change: Change) => Promise<T>): Promise<T> {
    const { userId: actorId } = member;
    const { tenantId: organizationId } = member.membership;
    return this.revocations.inTransaction(async (db, revoke) => {
      await checkStillSignedIn(member, db);
      const exists = await this.organizations.lock(organizationId, db);
      const role = exists ? await this.members.roleOf(organizationId, actorId, db) : undefined;
      if (role === undefined) return missing('organization', organizationId);
      return work({ db, revoke, organizationId, actorId, role });
    });
  }

  /** Returns the role for a member whom the caller may change. */
  private async checkCovers({ db, organizationId, role }: Change, accountId: number): Promise<string> {
    if (!this.roles.permits(role, 'member:write')) throw new InsufficientRoleError();
    const before = await this.members.roleOf(organizationId, accountId, db);
    if (before === undefined) return missing('member', accountId);
    if (!this.roles.covers(role, before)) throw new InsufficientRoleError();
    return before;
  }

  private async checkNotLastOwner({ db, organizationId }: Change, role: string): Promise<void> {
    const { owner } = this.roles;
    if (role === owner && (await this.members.withRole(organizationId, owner, 2, db)).length === 1)
      throw new LastOwnerError();
  }
}
