import { httpError } from '@app/http-errors';

/** The error for a webhook without a valid and recent signature. It is the same for every cause. */
export const InvalidSignatureError = httpError('InvalidSignatureError', 400, 'invalid-signature', {
  title: 'The signature is missing, wrong or too old',
  remedy:
    'Sign the bytes of the body as you send them, with the secret of this endpoint and the current time, and send the id of the event.',
  reply: 'the signature is missing, wrong or too old',
});
