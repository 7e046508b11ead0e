import { AccessTokens, Passwords } from '@app/auth';
import { AccountsStore } from '../../account/accounts.store';
import { construct } from '../../provide.providers';
import { SignInAccounts } from '../../sign-in/sign-in-accounts';
import { SignInLimits } from '../../sign-in/sign-in-limits';
import { SignInSequence } from '../../sign-in/sign-in-sequence';
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
  providers: () => [
    construct(PasswordFactor, [AccountsStore]),
    construct(PasswordCheck, [SignInAccounts, Passwords, SignInLimits]),
    construct(Login, [PasswordCheck, SignInSequence, AccessTokens]),
  ],
};
