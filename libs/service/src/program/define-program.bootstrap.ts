import { auditKinds as builtInAuditKinds, factorKinds, registerAuditKinds } from '@app/accounts';
import { registerFacets, routeFacets } from '@app/auth';
import { registerAudiences } from '@app/contract';
import { DatabaseSchema, persistenceSettings } from '@app/persistence';
import type { Declarations } from '@app/settings';
import type { ProgramPlan } from './run-program.bootstrap';
import { serviceSettings } from './service-settings';
import { commands } from '../commands/commands';
import { refuseConflicts } from '../plugin/conflicts.plugin';
import type { Plugin } from '../plugin/define.plugin';
import { registerErrors } from '../reference/shared-problems';
import { librarySchemas } from '../schema';
import { accountHooksOf, eventsOf, pluginsModule } from './plugins.module';

/** The settings of every program that is defined by plugins. */
const programSettings = { ...serviceSettings, ...persistenceSettings };

/** The names that every program has, and that no plugin may take. */
const builtIn = {
  command: commands.map(({ name }) => name),
  factor: factorKinds,
  facet: routeFacets().map(({ decorator }) => decorator),
  'audit kind': builtInAuditKinds,
  'health check': ['store', 'writes', 'replica'],
  strategy: ['jwt', 'api-key'],
  table: librarySchemas.flatMap(({ tables }) => tables.map(({ name }) => name)),
};

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The settings that every program has, and the settings of the plugins. */
type DeclarationsOf<Plugins extends readonly Plugin[]> = typeof programSettings &
  Intersection<{ [Index in keyof Plugins]: SettingsIn<Plugins[Index]> }[number]>;

type SettingsIn<Candidate> = Candidate extends { readonly settings?: infer S }
  ? string extends keyof NonNullable<S>
    ? {}
    : NonNullable<S>
  : {};

/** The parts of a program. */
export interface ProgramDefinition<
  Plugins extends readonly Plugin[],
  D extends Declarations & typeof serviceSettings,
> extends Pick<
  ProgramPlan<D>,
  'descriptions' | 'errors' | 'name' | 'prefix' | 'reference' | 'unknownMembers'
> {
  /** The capabilities; their order does not matter. */
  readonly plugins: Plugins;
  /** The application's resources; default empty. */
  readonly resources?: readonly Plugin<{}>[];
}

/**
 * Defines a program by its plugins and resources, for its entry file, its tests, and the scripts that describe it.
 *
 * @throws TypeError if two plugins take the same name, setting, table, command, strategy, factor, facet or export part
 */
export function defineProgram<const Plugins extends readonly Plugin[]>(
  definition: ProgramDefinition<Plugins, DeclarationsOf<Plugins>>,
): ProgramPlan<DeclarationsOf<Plugins>> {
  const { plugins, resources = [], ...program } = definition;
  const all: readonly Plugin[] = [{ name: 'service', settings: programSettings }, ...plugins, ...resources];
  refuseConflicts(all, builtIn);
  registerFacets(all.flatMap(({ facets = [] }) => facets));
  registerAudiences(all.flatMap(({ audiences = [] }) => audiences));
  registerErrors(all.flatMap(({ errors = [] }) => errors));
  registerAuditKinds(all.flatMap(({ auditKinds = [] }) => auditKinds));
  const factors = all.flatMap((plugin) => plugin.factors ?? []);
  const events = eventsOf(all);
  const accountHooks = accountHooksOf(all, events);
  // Each setting is declared by one plugin, so the intersection has every member.
  const declarations: DeclarationsOf<Plugins> = Object.assign({}, ...all.map(({ settings }) => settings));
  return {
    ...program,
    declarations,
    checks: all.map((plugin) => (settings) => plugin.check?.(settings)),
    tables: resources.length > 0 ? resources.flatMap(({ tables = [] }) => tables) : undefined,
    schemas: plugins
      .filter(({ tables = [] }) => tables.length > 0)
      .map(({ name, tables = [] }) => new DatabaseSchema(name, tables)),
    factors,
    accountHooks,
    healthChecks: all.flatMap(({ health = [] }) => health.map(({ name }) => name)),
    commands: [...commands, ...all.flatMap((plugin) => plugin.commands ?? [])],
    module: (settings) =>
      pluginsModule({ application: program.name, plugins: all, factors, accountHooks, events, settings }),
    moduleRoutes: Object.assign({}, ...all.map(({ moduleRoutes }) => moduleRoutes)),
    configure: async (app, settings) => {
      for (const plugin of all) await plugin.configure?.(app, settings);
    },
    plugins: async (server, settings) => {
      for (const plugin of all) await plugin.server?.(server, settings);
    },
  };
}
