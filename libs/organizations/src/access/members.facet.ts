import { facet } from '@app/auth';
import { InsufficientRoleError } from '../errors';

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The roles that may call a route, in the organization that the path names. */
export const members = facet<readonly string[]>({
  name: 'members',
  decorator: '@Member()',
  error: InsufficientRoleError,
  parameter: 'organizationId',
  description: (roles) =>
    `404 unless the caller is a member of the organization, and 403 unless the role is ${or.format(roles.map((role) => `\`${role}\``))}.`,
  summary: (roles) => `member ${roles.join(' or ')}`,
});
