import { Database } from '@app/persistence';
import type { Provider, Type } from '@nestjs/common';
import { Enrolments } from './factors/enrolments';
import { type FactorDeclaration, inOrder } from './factors/factor-declaration.providers';
import { Login } from './password-sign-in/login';
import { PasswordCheck } from './password-sign-in/password-check';
import { PasswordFactor } from './password-sign-in/password-factor';
import { PasswordController } from './password-sign-in/password.controller';
import { completeSignInController, type ProofMembers } from './sessions/complete-sign-in.controller';
import type { SignInFactor } from './sign-in/sign-in-factor';
import { SignInFactors } from './sign-in/sign-in-factors';

/** The sign-in way by username and password. */
const password: FactorDeclaration = {
  kind: 'password',
  provide: PasswordFactor,
  rank: 10,
  access: { nothingEnrolled: 'a recovery replaces the password hash of the account' },
  scopedCallers: [],
  limit: 'failed-sign-ins',
  challenges: 'none',
  rows: { nothingStored: 'the account has the password hash' },
};

/** The factor kinds that every program has. */
export const factorKinds: readonly string[] = [password.kind];

/** The Nest parts for a program's sign-in ways. */
export interface SignInParts {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
}

/** @param factors the plugins' factors */
export function signInParts(factors: readonly FactorDeclaration[]): SignInParts {
  const all = inOrder([password, ...factors]);
  const members: ProofMembers = Object.assign({}, ...all.map(({ proof = {} }) => proof));
  const kinds = all.map(({ kind }) => kind);
  return {
    controllers: [completeSignInController(kinds, members), PasswordController],
    providers: [
      {
        provide: SignInFactors,
        inject: [Database, ...all.map(({ provide }) => provide)],
        useFactory: (db: Database, ...instances: SignInFactor[]) => new SignInFactors(instances, db),
      },
      { provide: Enrolments, useFactory: () => new Enrolments(factors) },
      PasswordFactor,
      PasswordCheck,
      Login,
    ],
  };
}
