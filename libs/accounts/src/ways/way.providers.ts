import type { TableDefinition } from '@app/persistence';
import type { Declarations, EnvironmentOf } from '@app/settings';
import type { Provider, Type } from '@nestjs/common';
import type { FactorDeclaration } from '../factors/factor-declaration.providers';
import type { AccountsOptions } from '../options';

/** A way to sign in of this library. */
export interface SignInWay<Settings extends Declarations = Declarations> {
  /** Environment variables of every program with accounts. */
  readonly settings?: Settings;
  /** Its tables, with their migrations. */
  readonly tables?: readonly TableDefinition[];
  readonly factors: readonly FactorDeclaration[];
  /** Its routes: their errors, OpenAPI description and lock entries follow from them. */
  readonly controllers?: readonly Type[];
  /** Its services, which may inject those of accounts; its part of the export (`exportPart`), its jobs (`jobOf`). */
  providers(settings: EnvironmentOf<Settings>, options: AccountsOptions): readonly Provider[];
}
