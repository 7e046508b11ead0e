import type { TableDefinition } from '@app/persistence';
import type { Declarations, EnvironmentOf } from '@app/settings';
import type { Provider, Type } from '@nestjs/common';
import type { FactorDeclaration } from '../factors/factor-declaration.providers';
import type { AccountsOptions } from '../options';

/** A way to sign in of this library. */
export interface SignInWay<Settings extends Declarations = Declarations> {
  /** The environment variables of every program with accounts. */
  readonly settings?: Settings;
  /** The way's tables, with their migrations. */
  readonly tables?: readonly TableDefinition[];
  readonly factors: readonly FactorDeclaration[];
  /** The way's routes, from which their errors, OpenAPI description and lock entries are derived. */
  readonly controllers?: readonly Type[];
  /** Returns the way's services, which may inject account services, its export part (`exportPart`) and its jobs (`jobOf`). */
  providers(settings: EnvironmentOf<Settings>, options: AccountsOptions): readonly Provider[];
}
