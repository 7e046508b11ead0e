import { httpError, retryParams } from '@app/http-errors';

/** The caller's role in the organization does not suffice. The message is fixed, because clients react to it. */
export const InsufficientRoleError = httpError('InsufficientRoleError', 403, 'insufficient-role', {
  title: 'The role in the organization does not permit this',
  remedy: 'Ask a member with a role of `x-members` of the route, who may also change your role.',
  log: 'The role of the caller in the organization does not permit this.',
  reply: 'your role in this organization does not permit this',
});

/** The organization would lose its last owner. */
export const LastOwnerError = httpError('LastOwnerError', 409, 'last-owner', {
  title: 'This is the last owner of the organization',
  remedy: 'Make another member an owner first, or delete the organization.',
  reply: 'this is the last owner of the organization: make another member an owner first',
});

/** The account is in the maximum number of organizations. */
export const TooManyOrganizationsError = httpError(
  'TooManyOrganizationsError',
  409,
  'too-many-organizations',
  {
    title: 'The account is a member of too many organizations',
    remedy: 'Leave an organization first (`DELETE /organizations/:organizationId/members/:accountId`).',
    reply: 'this account is a member of too many organizations: leave one first',
  },
);

/** The e-mail belongs to a member. */
export const AlreadyMemberError = httpError('AlreadyMemberError', 409, 'already-member', {
  title: 'The e-mail belongs to a member',
  remedy:
    'Change the role of the member instead (`PATCH /organizations/:organizationId/members/:accountId`).',
  reply: 'this e-mail belongs to a member of the organization',
});

/** The invitation is unknown, used, withdrawn or expired. */
export const InvalidInvitationError = httpError('InvalidInvitationError', 400, 'invalid-invitation', {
  title: 'The invitation is invalid',
  remedy: 'Ask the sender for a new invitation.',
  reply: 'this invitation is used, withdrawn, expired or unknown: ask for a new one',
});

/** The caller's e-mail is not the invited e-mail. */
export const InvitationEmailError = httpError('InvitationEmailError', 403, 'invitation-email', {
  title: 'The invitation is for a different e-mail',
  remedy: 'Sign in with the account of the invited e-mail, or ask for an invitation to your own e-mail.',
  reply: 'this invitation is for a different e-mail',
});

/** The organization or the recipient has too many invitations. */
export const TooManyInvitationsError = httpError('TooManyInvitationsError', 429, 'too-many-invitations', {
  title: 'Too many invitations',
  remedy: 'Wait for `Retry-After` seconds, or withdraw open invitations.',
  params: retryParams,
  reply: (waitMs: number) => ({ message: 'too many invitations: try again later', waitMs }),
});
