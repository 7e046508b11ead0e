import type { SignInWay } from '../way.providers';
import { Login } from './login';
import { PasswordCheck } from './password-check';
import { PasswordController } from './password.controller';
import { PasswordFactor } from './password-factor';

/** Username and password. */
export const passwordWay: SignInWay = {
  name: 'password',
  factors: [{ kind: 'password', provide: PasswordFactor }],
  controllers: [PasswordController],
  access: { nothingEnrolled: 'a recovery replaces the password hash of the account' },
  providers: () => [PasswordFactor, PasswordCheck, Login],
};
