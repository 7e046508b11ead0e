import { Database, type TableDefinition } from '@app/persistence';
import type { Provider, Type } from '@nestjs/common';
import { Enrolments } from '../factors/enrolments';
import type { SignInFactor } from '../sign-in/sign-in-factor';
import { SignInFactors } from '../sign-in/sign-in-factors';
import type { AccountsOptions } from '../options';
import { completeSignInController, type ProofMembers } from '../sessions/complete-sign-in.controller';
import { accountsSettings as baseSettings } from '../settings';
import { emailCodesWay } from './email-codes/email-codes.providers';
import { oidcWay } from './oidc/oidc.providers';
import { passkeysWay } from './passkeys/passkeys.providers';
import { passwordWay } from './password/password.providers';
import { recoveryCodesWay } from './recovery-codes/recovery-codes.providers';
import { totpWay } from './totp/totp.providers';
import type { SignInWay } from './way.providers';

/** The ways to sign in: one folder each, in the order in which a client is offered their factors. */
const ways = [passwordWay, emailCodesWay, totpWay, passkeysWay, recoveryCodesWay, oidcWay] as const;

type SettingsOfWays = UnionToIntersection<
  (typeof ways)[number] extends infer Way ? (Way extends SignInWay<infer Settings> ? Settings : never) : never
>;
type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Environment variables of this library. */
export const accountsSettings: typeof baseSettings & SettingsOfWays = Object.assign(
  { ...baseSettings },
  ...ways.map(({ settings = {} }) => settings),
);

/** The kinds of the factors of all ways. */
export const factorKinds: readonly string[] = ways.flatMap(({ factors = [] }: SignInWay) =>
  factors.map(({ kind }) => kind),
);

/** The tables of all ways. */
export const wayTables: readonly TableDefinition[] = ways.flatMap((way: SignInWay) => way.tables ?? []);

/**
 * Returns what ends the enrolments of accounts, with any way to sign in of a program.
 *
 * @param others the ways of the application
 */
export function enrolmentsOf(others: readonly SignInWay[] = []): Enrolments {
  return new Enrolments([...ways, ...others]);
}

/** What the ways to sign in of a program consist of. */
export interface WayParts {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
}

/** @param others of the application */
export function wayParts(options: AccountsOptions, others: readonly SignInWay[] = []): WayParts {
  const all: readonly SignInWay[] = [...ways, ...others];
  const declared = all.flatMap(({ factors = [] }) => factors);
  const members: ProofMembers = Object.assign({}, ...declared.map(({ proof = {} }) => proof));
  const kinds = declared.map(({ kind }) => kind);
  return {
    controllers: [
      completeSignInController(kinds, members),
      ...all.flatMap(({ controllers = [] }) => controllers),
    ],
    providers: [
      {
        provide: SignInFactors,
        inject: [Database, ...declared.map(({ provide }) => provide)],
        useFactory: (db: Database, ...factors: SignInFactor[]) => new SignInFactors(factors, db),
      },
      { provide: Enrolments, useFactory: () => enrolmentsOf(others) },
      ...all.flatMap((way) => way.providers({ ...options.settings }, options)),
    ],
  };
}
