import { httpError, retryParams } from '@app/http-errors';

/** Another account has this e-mail, compared by `emailKey`. */
export const EmailConflictError = httpError('EmailConflictError', 409, 'email-conflict', {
  title: 'Another account has this e-mail',
  remedy: 'Send a different e-mail, or sign in to the account that has it.',
  namesMembers: true,
  reply: (
    log: string,
    /** The `member` is the body member that has the e-mail, or the token of a link to it. */
    { member = 'email', ...options }: ErrorOptions & { readonly member?: EmailMember } = {},
  ) => ({ message: 'email is already taken', log, members: [[member]], ...options }),
});

/** The body member with the e-mail that an account gets. */
export type EmailMember = 'email' | 'token';

/** An account already has this identity, or the account already has an identity from this provider. */
export const IdentityConflictError = httpError('IdentityConflictError', 409, 'identity-conflict', {
  title: 'The identity is linked already',
  remedy:
    'Sign in with it, or end the link first: an identity has one account, and an account has one identity of a provider.',
  reply: 'this identity is linked to an account already, or the account to another identity of the provider',
});

/** A different account has a profile value that must be unique. */
export const ProfileConflictError = httpError('ProfileConflictError', 409, 'profile-conflict', {
  title: 'Another account has this value',
  remedy: 'Send a different value for the member that `errors` names.',
  namesMembers: true,
  reply: (fields: readonly string[], options?: ErrorOptions) => ({
    message: `${fields.join(' or ')} is already taken`,
    log: `another account has this ${fields.join(' or ')}`,
    members: fields.map((field) => [field]),
    ...options,
  }),
});

/** The credentials are valid, but the account is disabled. */
export const AccountDisabledError = httpError('AccountDisabledError', 403, 'account-disabled', {
  title: 'The account is disabled',
  remedy: 'Ask an administrator to enable the account.',
  reply: 'this account is disabled: ask an administrator to enable it',
});

/** The change would remove the last administrator. */
export const LastAdministratorError = httpError('LastAdministratorError', 409, 'last-administrator', {
  title: 'This is the last administrator',
  remedy: 'Make another account an administrator first.',
  reply: 'this is the last administrator: make another account one first',
});

/** A page from a foreign origin, or a client without an `Origin`, requests or sends a session cookie. */
export const UntrustedPageError = httpError('UntrustedPageError', 403, 'untrusted-page', {
  title: 'The page may not have a session cookie',
  remedy: 'Serve the page over HTTPS, and name its origin in `CORS_ORIGINS`. Other clients omit `transport`.',
  reply: 'the origin of this page may not have a session cookie',
});

/** The password is right, and the account requires a second factor. */
export const MfaRequiredError = httpError('MfaRequiredError', 403, 'mfa-required', {
  title: 'The account requires a second factor',
  remedy: 'Sign in with a session (`POST /auth/sessions`), and complete it with a factor from the response.',
  reply: 'a second factor is needed: sign in with a session',
});

const currentPasswordFaults = {
  missing: 'the current password is needed',
  wrong: 'the current password is wrong',
};

/** A new password was sent, but the current password is missing or wrong. */
export const CurrentPasswordError = httpError('CurrentPasswordError', 403, 'current-password-required', {
  title: 'The current password is missing or wrong',
  remedy: 'Ask the user for the current password, and send it as `currentPassword` with the new password.',
  log: 'A change of the password has no current one, or a wrong one.',
  reply: (fault: keyof typeof currentPasswordFaults) => currentPasswordFaults[fault],
});

/** The password must be changed, and the caller signed in without it. */
export const PasswordSignInRequiredError = httpError(
  'PasswordSignInRequiredError',
  403,
  'password-sign-in-required',
  {
    title: 'The password must be changed by a caller who signed in with it',
    remedy:
      'Sign in with the password that the administrator has set, or reset it by mail (`POST /auth/password-resets`).',
    reply: 'sign in with the password that must be changed, or reset it by mail',
  },
);

/** The new password equals the password that must be changed. */
export const UnchangedPasswordError = httpError('UnchangedPasswordError', 400, 'unchanged-password', {
  title: 'The password is the same as before',
  remedy: 'Choose another password.',
  reply: 'this password is the one that must be changed: choose another',
});

/** Too many attempts failed, for the account or from the address. The response does not reveal the reason. */
export const TooManyAttemptsError = httpError('TooManyAttemptsError', 429, 'too-many-attempts', {
  title: 'Too many attempts have failed',
  remedy: 'Wait for `Retry-After` seconds. A user who has forgotten the password can reset it.',
  params: retryParams,
  log: 'Too many failed attempts. Wait, or raise the SIGN_IN_ limits.',
  reply: (waitMs: number) => ({ message: 'too many attempts have failed, try again later', waitMs }),
});

/** Too many accounts were created from the same address. */
export const TooManySignUpsError = httpError('TooManySignUpsError', 429, 'too-many-sign-ups', {
  title: 'Too many accounts were created from this address',
  remedy: 'Wait for `Retry-After` seconds.',
  params: retryParams,
  log: 'Too many sign-ups from one address. Wait, or raise SIGN_UP_ADDRESS_LIMIT.',
  reply: (waitMs: number) => ({
    message: 'too many accounts were created from this address, try again later',
    waitMs,
  }),
});

/** The program's users cannot create accounts. */
export const SignUpOffError = httpError('SignUpOffError', 404, 'sign-up-off', {
  title: 'Sign-up is off',
  remedy: 'Ask an operator for an account. `SIGN_UP=open` lets everybody sign up.',
  reply: 'sign-up is off: ask an operator for an account',
});

/** The invitation to sign up is missing, unknown, used or expired. The response does not reveal the reason. */
export const InvitationRequiredError = httpError('InvitationRequiredError', 403, 'invitation-required', {
  title: 'A valid invitation is required',
  remedy: 'Send the `invitation` of the mail, once, before it expires. Ask for a new invitation otherwise.',
  reply: 'a valid invitation is required: ask for a new one',
});

/** Too many links for a new password were requested from the same address. */
export const TooManyResetsError = httpError('TooManyResetsError', 429, 'too-many-resets', {
  title: 'Too many password resets from this address',
  remedy: 'Wait for `Retry-After` seconds.',
  params: retryParams,
  log: 'Too many password resets from one address. Wait, or raise PASSWORD_RESET_ADDRESS_LIMIT.',
  reply: (waitMs: number) => ({
    message: 'too many password resets from this address, try again later',
    waitMs,
  }),
});

/** The token for a password reset is unknown, was used, or has expired. The response does not reveal the reason. */
export const InvalidResetTokenError = httpError('InvalidResetTokenError', 400, 'invalid-reset-token', {
  title: 'The link is invalid, used or expired',
  remedy: 'Ask for a new link (`POST /auth/password-resets`), and use it once, before it expires.',
  reply: 'this link is not valid, was used or has expired: ask for a new one',
});

/** Too many links that confirm an e-mail were requested, by the same account or to the same e-mail. */
export const TooManyEmailLinksError = httpError('TooManyEmailLinksError', 429, 'too-many-email-links', {
  title: 'Too many links that confirm an e-mail were sent',
  remedy: 'Wait for `Retry-After` seconds, and use the link of the last mail.',
  params: retryParams,
  log: 'Too many links that confirm an e-mail. Wait.',
  reply: (waitMs: number) => ({
    message: 'too many links to confirm an e-mail were sent, try again later',
    waitMs,
  }),
});

/** The token in an e-mail link is unknown, was used, or has expired. The response does not reveal the reason. */
export const InvalidEmailLinkError = httpError('InvalidEmailLinkError', 400, 'invalid-email-link', {
  title: 'The link is invalid, used or expired',
  remedy: 'Ask for a new link, and use it once, before it expires.',
  reply: 'this link is not valid, was used or has expired',
});

/** The account's e-mail is already verified, or the program does not verify e-mails. */
export const NoPendingVerificationError = httpError(
  'NoPendingVerificationError',
  409,
  'no-pending-verification',
  {
    title: 'There is no e-mail to verify',
    remedy: 'Continue: the e-mail is verified, or the program does not verify e-mails.',
    reply: 'there is no e-mail to verify',
  },
);

/** A session was refreshed too often within an hour. */
export const TooManyRefreshesError = httpError('TooManyRefreshesError', 429, 'too-many-refreshes', {
  title: 'The session was refreshed too often',
  remedy: 'Wait for `Retry-After` seconds. Refresh a session only when its access token is about to expire.',
  params: retryParams,
  log: 'Too many refreshes of one session. Wait, or raise REFRESH_SESSION_LIMIT.',
  reply: (waitMs: number) => ({ message: 'this session was refreshed too often, try again later', waitMs }),
});

/** The audit log was changed. The command that checks the log throws this error. */
export class BrokenChainError extends Error {
  override readonly name = 'BrokenChainError';

  constructor(readonly faults: readonly { readonly block: number; readonly problem: string }[]) {
    const lines = faults.map(({ block, problem }) => `block ${block}: ${problem}`);
    super(`The audit log was changed:\n${lines.join('\n')}`);
  }
}

/** The account has the maximum number of API keys. */
export const TooManyApiKeysError = httpError('TooManyApiKeysError', 409, 'too-many-api-keys', {
  title: 'The account has the maximum number of API keys',
  remedy: 'Delete an unused key.',
  params: { max: 'integer' },
  reply: (max: number) => ({
    message: `this account has ${max} keys: delete one that is no longer used`,
    log: `An account has at most ${max} API keys.`,
    params: { max },
  }),
});

/** The caller has no session with this id. */
export const SessionNotFoundError = httpError('SessionNotFoundError', 404, 'session-not-found', {
  title: 'The caller has no such session',
  remedy: 'List the sessions (`GET /auth/sessions`): it may have ended already.',
  reply: 'there is no such session',
});

/** The program does not know its public URL, which its metadata needs. */
export const NoPublicUrlError = httpError('NoPublicUrlError', 404, 'no-public-url', {
  title: 'The program has no metadata',
  remedy: 'Set `API_URL` to its public base URL.',
  reply: 'this program has no metadata: API_URL is not set',
});

/** The program has failed to read the revocation log for longer than a token lives, so it cannot check tokens. */
export const RevocationsUnavailableError = httpError(
  'RevocationsUnavailableError',
  503,
  'revocations-unavailable',
  {
    title: 'The service is unable to check sign-ins at present',
    remedy: 'Repeat the request after `Retry-After` seconds.',
    params: retryParams,
    reply: () => ({
      message: 'the service cannot tell at present who is signed in, try again shortly',
      waitMs: 2000,
    }),
  },
);
