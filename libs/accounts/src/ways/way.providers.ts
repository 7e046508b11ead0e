import type { TableDefinition } from '@app/persistence';
import type { Declarations, EnvironmentOf } from '@app/settings';
import type { Provider, Type } from '@nestjs/common';
import type { EndsAccess } from '../factors/enrolments';
import type { SignInFactor } from '../sign-in/sign-in-factor';
import type { AccountsOptions } from '../options';
import type { ProofMembers } from '../sessions/complete-sign-in.controller';

/** A factor that a way to sign in has. */
export interface DeclaredFactor {
  /** That of the factor. */
  readonly kind: string;
  /** A provider of the folder. */
  readonly provide: Type<SignInFactor>;
  /** The members of `POST /auth/sessions/complete` that prove it, besides `code`. */
  readonly proof?: ProofMembers;
}

/** Everything that is known of a way to sign in: the declaration of a folder. */
export interface SignInWay<Settings extends Declarations = Declarations> extends EndsAccess {
  /** Environment variables of every program with accounts. */
  readonly settings?: Settings;
  /** Its tables, with their migrations, after those of accounts and of the application. */
  readonly tables?: readonly TableDefinition[];
  /** What it can verify, in the order in which a client is offered them. */
  readonly factors?: readonly DeclaredFactor[];
  /** Its routes: their errors, OpenAPI description and lock entries follow from them. */
  readonly controllers?: readonly Type[];
  /** Its services, which may inject those of accounts; its part of the export (`exportPart`), its jobs (`jobOf`). */
  providers(settings: EnvironmentOf<Settings>, options: AccountsOptions): readonly Provider[];
}
