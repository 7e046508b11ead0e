import type { SignedInUser } from '@app/accounts';
import type { FacetGate, GuardedCaller } from '@app/auth';
import { missing } from '@app/http-errors';
import { issueMembership, type Membership } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { InsufficientRoleError } from '../errors';
import { MembershipCache } from './membership-cache';

/** A caller's membership in the organization that the path names, by which statements on its rows are bound. */
export interface OrganizationMembership extends Membership {
  /** The organization's id. */
  readonly tenantId: number;
  readonly role: string;
}

/** A caller who is a member in the organization that the path names. */
export interface Member extends SignedInUser {
  readonly membership: OrganizationMembership;
}

/** Decides whether a caller is a member in the organization that the path names. */
@Injectable()
export class MembershipGate implements FacetGate<readonly string[]> {
  constructor(private readonly memberships: MembershipCache) {}

  /**
   * @returns the caller with the membership
   * @throws NotFoundError for every caller who is no member, whether or not the organization exists
   * @throws InsufficientRoleError for a member with a different role
   */
  async admit(
    caller: GuardedCaller,
    { params }: { readonly params?: unknown },
    roles: readonly string[],
  ): Promise<GuardedCaller> {
    const { organizationId }: { readonly organizationId?: unknown } = Object(params);
    const { userId } = caller;
    const tenantId = idIn(organizationId);
    if (tenantId === undefined || typeof userId !== 'number') return missing('organization', 'here');
    const role = await this.memberships.roleOf(tenantId, userId, roles);
    if (role === undefined) return missing('organization', tenantId);
    if (!roles.includes(role)) throw new InsufficientRoleError();
    return { ...caller, membership: issueMembership({ tenantId, role }) };
  }
}

function idIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}
