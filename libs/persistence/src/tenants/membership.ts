/** A tenant's id, such as an organization id. */
export type TenantId = number | string;

declare const brand: unique symbol;

/** The right to a tenant's rows. Only {@link issueMembership} makes it; an object with the same members is refused. */
export interface Membership {
  readonly tenantId: TenantId;
  readonly [brand]: true;
}

/** The issued memberships. A cast satisfies the compiler alone. */
const issued = new WeakSet<object>();

/**
 * Issues a membership. The guard for a tenant's routes calls it after its check, and a job calls it for each tenant.
 * The layout test restricts it to files named `*.guard.ts` and `*.job.ts`.
 *
 * @param facts the tenant's id, and members for the routes, such as the role
 * @returns a frozen copy with the facts
 */
export function issueMembership<Facts extends { readonly tenantId: TenantId }>(
  facts: Facts,
): Membership & Readonly<Facts>;
export function issueMembership(facts: { readonly tenantId: TenantId }): object {
  const membership = Object.freeze({ ...facts });
  issued.add(membership);
  return membership;
}

/** Whether {@link issueMembership} made a value. */
export function isMembership(value: unknown): value is Membership {
  return typeof value === 'object' && value !== null && issued.has(value);
}
