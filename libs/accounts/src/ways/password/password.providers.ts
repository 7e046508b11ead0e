import type { SignInWay } from '../way.providers';
import { Login } from './login';
import { PasswordCheck } from './password-check';
import { PasswordController } from './password.controller';
import { PasswordFactor } from './password-factor';

/** The sign-in way by username and password. */
export const passwordWay: SignInWay = {
  factors: [
    {
      kind: 'password',
      provide: PasswordFactor,
      rank: 10,
      access: { nothingEnrolled: 'a recovery replaces the password hash of the account' },
      scopedCallers: [],
      limit: 'failed-sign-ins',
      challenges: 'none',
      rows: { nothingStored: 'the account has the password hash' },
    },
  ],
  controllers: [PasswordController],
  providers: () => [PasswordFactor, PasswordCheck, Login],
};
