export type { Member, OrganizationMembership } from './access/membership.guard';
export { InsufficientRoleError } from './errors';
export { MembersStore } from './members/members.store';
export { OrganizationsStore } from './organization/organizations.store';
export { organizations, type OrganizationsPlugin } from './organizations.plugin';
