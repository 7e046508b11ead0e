import { httpError } from '@app/http-errors';
import { facet } from './facet';

/** The caller's e-mail is not verified. The message is fixed, because clients react to it. */
export const UnverifiedEmailError = httpError('UnverifiedEmailError', 403, 'unverified-email', {
  title: 'The e-mail of the caller is unverified',
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
 * Requires a verified e-mail, as the caller's `emailVerified` says. Other callers get 403. A handler's decorator overrides its
 * class's.
 *
 * @param isNeeded `false` exempts a handler of a decorated class
 */
export const Verified = (isNeeded = true): ClassDecorator & MethodDecorator => verified.set(isNeeded && true);
