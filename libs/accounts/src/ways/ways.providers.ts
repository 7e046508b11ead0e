import { Database, type TableDefinition } from '@app/persistence';
import type { Provider, Type } from '@nestjs/common';
import { type EndsAccess, Enrolments } from '../factors/enrolments';
import { type FactorDeclaration, inOrder } from '../factors/factor-declaration.providers';
import type { SignInFactor } from '../sign-in/sign-in-factor';
import { SignInFactors } from '../sign-in/sign-in-factors';
import type { AccountsOptions } from '../options';
import { completeSignInController, type ProofMembers } from '../sessions/complete-sign-in.controller';
import { accountsSettings as baseSettings } from '../settings';
import { oidcWay } from './oidc/oidc.providers';
import { passwordWay } from './password/password.providers';
import type { SignInWay } from './way.providers';

/** The sign-in ways that every program has, each in its own folder. */
const ways = [passwordWay, oidcWay] as const;

const declared = ways.flatMap(({ factors }) => factors);

type SettingsOfWays = UnionToIntersection<
  (typeof ways)[number] extends infer Way ? (Way extends SignInWay<infer Settings> ? Settings : never) : never
>;
type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The environment variables of this library. */
export const accountsSettings: typeof baseSettings & SettingsOfWays = Object.assign(
  { ...baseSettings },
  ...ways.map(({ settings = {} }) => settings),
);

/** The factor kinds that every program has. */
export const factorKinds: readonly string[] = declared.map(({ kind }) => kind);

/** The tables of all ways. */
export const wayTables: readonly TableDefinition[] = ways.flatMap((way: SignInWay) => way.tables ?? []);

/**
 * Returns the service that ends enrolments in all factors of a program.
 *
 * @param factors the plugins' factors
 */
export function enrolmentsOf(factors: readonly EndsAccess[] = []): Enrolments {
  return new Enrolments([...declared, ...factors]);
}

/** The Nest parts of a program's sign-in ways. */
export interface WayParts {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
}

/** @param factors the plugins' factors */
export function wayParts(options: AccountsOptions, factors: readonly FactorDeclaration[] = []): WayParts {
  const all = inOrder([...declared, ...factors]);
  const members: ProofMembers = Object.assign({}, ...all.map(({ proof = {} }) => proof));
  const kinds = all.map(({ kind }) => kind);
  return {
    controllers: [
      completeSignInController(kinds, members),
      ...ways.flatMap(({ controllers = [] }: SignInWay) => controllers),
    ],
    providers: [
      {
        provide: SignInFactors,
        inject: [Database, ...all.map(({ provide }) => provide)],
        useFactory: (db: Database, ...instances: SignInFactor[]) => new SignInFactors(instances, db),
      },
      { provide: Enrolments, useFactory: () => enrolmentsOf(factors) },
      ...ways.flatMap((way: SignInWay) => way.providers({ ...options.settings }, options)),
    ],
  };
}
