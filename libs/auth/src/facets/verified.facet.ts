import { httpError } from '@app/http-errors';
import { facet } from './facet';

/** The e-mail of the caller is not verified. The message is fixed: clients react to it. */
export const UnverifiedEmailError = httpError('UnverifiedEmailError', 403, 'unverified-email', {
  title: 'The e-mail of the caller is not verified',
  remedy: 'Ask the user to confirm the e-mail by the link of the mail, and repeat the request.',
  log: 'The e-mail of the caller is not verified. Confirm it by the link of the mail.',
  reply: 'a verified e-mail is needed',
});

export const verified = facet<true>({
  name: 'needsVerifiedEmail',
  decorator: '@Verified()',
  error: UnverifiedEmailError,
  isMet: ({ emailVerified }) => emailVerified === true,
  description: () => '403 unless the e-mail of the caller is verified, where e-mails are verified.',
  summary: () => 'verified e-mail',
});

/**
 * Requires that the e-mail of the caller is verified: `emailVerified` of the caller; others get 403. A handler's decorator
 * overrides its class's.
 *
 * @param isNeeded `false` excepts one handler of a class
 */
export const Verified = (isNeeded = true): ClassDecorator & MethodDecorator => verified.set(isNeeded && true);
