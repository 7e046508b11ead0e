import { httpError } from '@app/http-errors';

/** The authenticator's enrolment response is invalid. */
export const InvalidPasskeyError = httpError('InvalidPasskeyError', 400, 'invalid-passkey', {
  title: 'The passkey failed verification',
  remedy:
    'Begin again (`POST /auth/factors/passkeys`), on a page of `PASSKEY_ORIGINS`, and confirm within five minutes. An authenticator makes one passkey for this service.',
  reply: 'this passkey could not be verified: begin again',
});

/** The account has the maximum number of passkeys. */
export const TooManyPasskeysError = httpError('TooManyPasskeysError', 409, 'too-many-passkeys', {
  title: 'The account has too many passkeys',
  remedy: 'End an unused passkey (`GET /auth/factors`, `DELETE /auth/factors/:factor`).',
  reply: 'this account has too many passkeys: end one first',
});
