export { RecoveryCodes } from './recovery-codes/recovery-codes.factor';
export { secondFactors } from './second-factors.plugin';
export { TotpEnrolments } from './totp/totp-enrolments';
