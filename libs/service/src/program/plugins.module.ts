import type { FactorDeclaration, PluginHooks } from '@app/accounts';
import { type DatabaseEnvironment, PersistenceModule, persistenceOptions } from '@app/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import type { WireClass } from '@app/engine';
import { Events } from '../events/events';
import { EventsModule } from '../events/events.module';
import { refuseProvidedTwice } from '../plugin/conflicts.plugin';
import type { Plugin } from '../plugin/define.plugin';

/** The root module's parts. */
interface PluginsModuleParts {
  readonly application: string;
  readonly plugins: readonly Plugin[];
  readonly factors: readonly FactorDeclaration[];
  readonly accountHooks: PluginHooks;
  readonly events: Events;
  readonly settings: DatabaseEnvironment;
}

/** The root module of a program that is defined by plugins. */
@Module({})
class PluginsModule {}

/**
 * Makes the root module: the store, the plugins' modules, and their controllers and providers in the same container.
 *
 * @throws TypeError if two plugins provide the same token
 */
export function pluginsModule({
  application,
  plugins,
  factors,
  accountHooks,
  events,
  settings,
}: PluginsModuleParts): DynamicModule {
  const environment = Object.fromEntries(Object.entries(settings));
  const provided = plugins.flatMap((plugin) =>
    (plugin.providers?.(environment) ?? []).map((provider) => ({ plugin, provider })),
  );
  refuseProvidedTwice(provided.map(({ plugin, provider }) => [plugin.name, provider]));
  const providers = provided.filter(({ plugin }) => isOfSignIn(plugin)).map(({ provider }) => provider);
  const tenantExceptions = plugins.flatMap(({ acrossTenants = [] }) => acrossTenants);
  const connecting = Object.assign(
    { tenantExceptions },
    ...plugins.map((plugin) => plugin.database?.(environment)),
  );
  const strategies = plugins.flatMap((plugin) => plugin.strategies ?? []);
  const gates = plugins.flatMap((plugin) => plugin.gates ?? []);
  const invitations = plugins.flatMap((plugin) => plugin.invitations ?? []);
  const [issuers] = plugins.flatMap((plugin) => plugin.issuers?.(environment) ?? []);
  const program = { application, factors, strategies, gates, invitations, issuers, providers, accountHooks };
  return {
    module: PluginsModule,
    imports: [
      PersistenceModule.forRoot(persistenceOptions(settings, connecting)),
      EventsModule.forRoot(events),
      ...plugins.flatMap((plugin) => plugin.modules?.(environment, program) ?? []),
    ],
    controllers: plugins.flatMap(({ controllers = [] }) => controllers),
    providers: [
      ...provided.filter(({ plugin }) => !isOfSignIn(plugin)).map(({ provider }) => provider),
      ...plugins.flatMap(({ exports = [], health = [], jobs = [], handlers = [] }) => [
        ...exports,
        ...health,
        ...jobs,
        ...handlers,
      ]),
    ],
  };
}

/** Returns the hooks of plugins on accounts, for the program and its commands. */
export function accountHooksOf(plugins: readonly Plugin[], events: Events): PluginHooks {
  const hooked = plugins.flatMap(({ name, on }) => (on ? [{ name, on }] : []));
  return Object.fromEntries(hooked.map(({ name, on }) => [name, typeof on === 'function' ? on(events) : on]));
}

/** Returns the events of plugins. @throws TypeError for a handler of an event that no plugin declares */
export function eventsOf(plugins: readonly Plugin[]): Events {
  const classes: Record<string, WireClass> = Object.assign({}, ...plugins.map(({ events }) => events));
  return new Events(
    classes,
    plugins.flatMap(({ handlers = [] }) => handlers),
  );
}

/** Returns whether a plugin's providers belong to accounts, which uses its factors, strategies, gates and invitations. */
function isOfSignIn({ factors = [], strategies = [], gates = [], invitations }: Plugin): boolean {
  return factors.length + strategies.length + gates.length > 0 || invitations !== undefined;
}
