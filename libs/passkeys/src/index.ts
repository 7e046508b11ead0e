export { PasskeyEnrolments } from './passkey-enrolments';
export { passkeys } from './passkeys.plugin';
