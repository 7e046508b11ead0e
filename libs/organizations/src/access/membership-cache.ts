import { type MembershipFollower, RevocationCache } from '@app/accounts';
import { BoundedCache } from '@app/auth';
import { Injectable } from '@nestjs/common';
import { MembersStore } from '../members/members.store';

/** The most cached memberships, with about 200 bytes each. */
const MAX_MEMBERSHIPS = 20_000;

/**
 * Members' roles in memory. Each program forgets a changed membership within a second, by the revocation log. A refusal
 * is never cached, so that a new member is admitted at once by every program.
 */
@Injectable()
export class MembershipCache implements MembershipFollower {
  private readonly roles = new BoundedCache<string>(MAX_MEMBERSHIPS);
  /** Counts the changes, because a role that was read before a change is stale. */
  private changes = 0;

  constructor(
    private readonly store: MembersStore,
    private readonly revocations: RevocationCache,
  ) {
    revocations.addFollower(this);
  }

  /**
   * Returns a member's role.
   *
   * @param accepted the roles for which the cached role suffices
   * @returns `undefined` for an account that is no member, and for an organization that does not exist
   * @throws RevocationsUnavailableError if the revocation log was not read for too long
   */
  async roleOf(
    organizationId: number,
    accountId: number,
    accepted: readonly string[],
  ): Promise<string | undefined> {
    this.revocations.assertCurrent();
    const key = membershipKey(organizationId, accountId);
    const cached = this.roles.get(key);
    if (cached !== undefined && accepted.includes(cached)) return cached;
    const { changes } = this;
    const role = await this.store.roleOf(organizationId, accountId);
    if (role !== undefined && changes === this.changes) this.roles.set(key, role);
    return role;
  }

  forget(key: string): void {
    this.changes += 1;
    if (key.includes(':')) this.roles.delete(key);
    else this.roles.clear();
  }

  forgetAll(): void {
    this.changes += 1;
    this.roles.clear();
  }
}

/** Returns a membership's name in the revocation log. */
export function membershipKey(organizationId: number, accountId: number): string {
  return `${organizationId}:${accountId}`;
}
