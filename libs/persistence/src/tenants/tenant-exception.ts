/** The permission for statements that concern all tenants' rows. Made by {@link acrossTenants}. */
export class TenantException {
  /** The reason, which `npm run routes` and the contract lock show. */
  readonly reason: string;

  constructor(reason: string) {
    if (reason.trim() === '') throw new TypeError('acrossTenants() needs a reason');
    this.reason = reason;
  }
}

/**
 * Declares that statements concern all tenants' rows. The plugin or resource lists it, and `db.acrossTenants` takes it.
 *
 * @param reason for reviewers, such as `deletes expired invitations`
 */
export function acrossTenants(reason: string): TenantException {
  return new TenantException(reason);
}
