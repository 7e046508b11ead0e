import type { FactorDeclaration } from '@app/accounts';
import { type DatabaseEnvironment, PersistenceModule, persistenceOptions } from '@app/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { refuseProvidedTwice } from '../plugin/conflicts.plugin';
import type { Plugin } from '../plugin/define.plugin';

/** What the root module is made of. */
interface PluginsModuleParts {
  readonly application: string;
  readonly plugins: readonly Plugin[];
  readonly factors: readonly FactorDeclaration[];
  readonly settings: DatabaseEnvironment;
}

/** The root module of a program that is defined by plugins. */
@Module({})
class PluginsModule {}

/**
 * Makes the root module: the store, the modules of the plugins, and their controllers and providers in one container.
 *
 * @throws TypeError if two plugins provide one token
 */
export function pluginsModule({
  application,
  plugins,
  factors,
  settings,
}: PluginsModuleParts): DynamicModule {
  const environment = Object.fromEntries(Object.entries(settings));
  const provided = plugins.flatMap((plugin) =>
    (plugin.providers?.(environment) ?? []).map((provider) => ({ plugin, provider })),
  );
  refuseProvidedTwice(provided.map(({ plugin, provider }) => [plugin.name, provider]));
  const providers = provided.filter(({ plugin }) => isOfSignIn(plugin)).map(({ provider }) => provider);
  const connecting = Object.assign({}, ...plugins.map((plugin) => plugin.database?.(environment)));
  const strategies = plugins.flatMap((plugin) => plugin.strategies ?? []);
  const program = { application, factors, strategies, providers };
  return {
    module: PluginsModule,
    imports: [
      PersistenceModule.forRoot(persistenceOptions(settings, connecting)),
      ...plugins.flatMap((plugin) => plugin.modules?.(environment, program) ?? []),
    ],
    controllers: plugins.flatMap(({ controllers = [] }) => controllers),
    providers: [
      ...provided.filter(({ plugin }) => !isOfSignIn(plugin)).map(({ provider }) => provider),
      ...plugins.flatMap(({ exports = [], health = [], jobs = [] }) => [...exports, ...health, ...jobs]),
    ],
  };
}

/** Whether the providers of a plugin belong to accounts, which verifies its factors and runs its strategies. */
function isOfSignIn({ factors = [], strategies = [] }: Plugin): boolean {
  return factors.length + strategies.length > 0;
}
