import type {
  AccountHooks,
  AuditKind,
  ExportProvider,
  FactorDeclaration,
  PluginHooks,
  SignUpInvitations,
  TokenIssuers,
} from '@app/accounts';
import type { Facet, FacetGate, Strategy } from '@app/auth';
import type { Audience } from '@app/contract';
import type { Connecting, JobProvider, TableDefinition, TenantException } from '@app/persistence';
import type { Declarations, SettingsOf } from '@app/settings';
import type { InjectionToken, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { ModuleRoutes } from '../adapter/module-route.decorator';
import type { Command } from '../commands/command';
import type { EventHandlerProvider } from '../events/event-handler.providers';
import type { EventClasses, Events } from '../events/events';
import type { HealthCheckProvider } from '../health/health-check.providers';
import type { ErrorDeclaration } from '../reference/shared-problems';
import type { SettingsProblem } from '../settings/errors';

/** A way to authenticate a request. */
export interface StrategyDeclaration {
  /** The name that `@UseStrategy()` takes. */
  readonly name: string;
  /** The token of the provider that creates the strategy. */
  readonly provide: InjectionToken<Strategy>;
}

/** The gate for a facet that depends on the request. */
export interface GateDeclaration {
  /** The facet's name. */
  readonly facet: string;
  /** The token of the provider that decides. */
  readonly provide: InjectionToken<FacetGate>;
}

/** The parts that the plugins of a program give to the accounts plugin. */
export interface PluginProgram {
  /** The application's name, as in `nest-cli.json`. */
  readonly application: string;
  readonly factors: readonly FactorDeclaration[];
  readonly strategies: readonly StrategyDeclaration[];
  readonly gates: readonly GateDeclaration[];
  readonly invitations: readonly InjectionToken<SignUpInvitations>[];
  readonly issuers?: TokenIssuers;
  /** The providers from plugins with factors, strategies, gates or invitations. */
  readonly providers: readonly Provider[];
  readonly accountHooks: PluginHooks;
}

/**
 * A capability, with everything that it adds to a program.
 *
 * The order of plugins in a program does not matter. The start fails if two plugins have the same name, setting, table, command,
 * job, event, event handler, strategy, factor, facet, audience, health check, export part, audit kind, module route or provider.
 */
export interface Plugin<S extends Declarations = Declarations> {
  /** The name, such as `email-codes`. */
  readonly name: string;
  /** The environment variables, with their documentation. */
  readonly settings?: S;
  /** Checks several settings together. */
  check?(settings: SettingsOf<S>): SettingsProblem | undefined;
  /** Adds options for opening the database, such as a replica. */
  database?(settings: SettingsOf<S>): Partial<Connecting>;
  /** The tables, with their migrations. */
  readonly tables?: readonly TableDefinition[];
  /** The controllers with the routes. Contract lock, OpenAPI and errors follow from them. */
  readonly controllers?: readonly Type[];
  /** Makes the providers, which have constructor injection. */
  providers?(settings: SettingsOf<S>): readonly Provider[];
  /** Makes the Nest modules of a library that brings its own modules, such as GraphQL or a queue. */
  modules?(settings: SettingsOf<S>, program: PluginProgram): NonNullable<ModuleMetadata['imports']>;
  /** The sign-in factors. Each factor declares how its access ends, and everything else that must hold for a factor. */
  readonly factors?: readonly FactorDeclaration[];
  /** The ways to authenticate a request. */
  readonly strategies?: readonly StrategyDeclaration[];
  /** Makes the issuers of access tokens that the program accepts beside its own, if its settings name issuers. */
  issuers?(settings: SettingsOf<S>): TokenIssuers | undefined;
  /** The token of the provider that finds the invitations with which users sign up. */
  readonly invitations?: InjectionToken<SignUpInvitations>;
  /**
   * The functions that run in the transaction that creates, changes or deletes an account. They use only the transaction and
   * `events`, so that commands run them too.
   */
  readonly on?: AccountHooks | ((events: Events) => AccountHooks);
  /** The classes for the events that it stores, by event. Declare them in `EventData` too. */
  readonly events?: EventClasses;
  /** The handlers for stored events, by `eventHandler()`. */
  readonly handlers?: readonly EventHandlerProvider[];
  /** The requirements that routes have on their callers, such as `@Verified()`. */
  readonly facets?: readonly Facet[];
  /** The gates for its facets that depend on the request. */
  readonly gates?: readonly GateDeclaration[];
  /** The audiences for wire class members, such as `admin` in `@Expose({ to: 'admin' })`. */
  readonly audiences?: readonly Audience[];
  /** The background jobs, by `jobOf()`. A single program on the database runs a job at a time. */
  readonly jobs?: readonly JobProvider[];
  /** The commands, such as `npm start -- api backup`. */
  readonly commands?: readonly Command[];
  /** The lists in `GET /users/me/export`, by `exportPart()`. */
  readonly exports?: readonly ExportProvider[];
  /** The checks in `GET /health`, by `healthCheck()`. */
  readonly health?: readonly HealthCheckProvider[];
  /** The errors that the plugin adds to each route. A route declares its own errors by `@ErrorResponses()`. */
  readonly errors?: readonly ErrorDeclaration[];
  /** The reasons, by `acrossTenants()`, for its statements on all tenants' rows. The contract lock shows them. */
  readonly acrossTenants?: readonly TenantException[];
  /** The event kinds that it records in the audit log. */
  readonly auditKinds?: readonly AuditKind[];
  /**
   * The callers, by path, of routes that its modules and hooks register beside the controllers (GraphQL, queues, static files,
   * WebSockets). A path that is not listed requires a caller.
   */
  readonly moduleRoutes?: ModuleRoutes;
  /**
   * Configures the Nest application: versions, WebSocket adapters, global parts. Versions in paths are described, and their
   * routes are compiled. Nest runs all routes if versions are negotiated by request, or if a global part is not ours.
   */
  configure?(app: NestFastifyApplication, settings: SettingsOf<S>): void | Promise<void>;
  /**
   * Registers Fastify plugins and hooks, before the routes. A route that is registered here requires a caller, unless it has
   * `config: { isPublic: true }`.
   */
  server?(server: FastifyInstance, settings: SettingsOf<S>): void | Promise<void>;
}

/** Declares a plugin. Its providers and hooks receive its settings, typed by their declaration. */
export function definePlugin<const S extends Declarations = {}>(plugin: Plugin<S>): Plugin<S> {
  return plugin;
}

/** A resource of an application: its tables, its store, its routes, and its list in the export. */
export interface Resource extends Pick<Plugin<{}>, 'acrossTenants' | 'exports' | 'jobs' | 'providers'> {
  readonly name: string;
  readonly table: TableDefinition | readonly TableDefinition[];
  readonly store: Type;
  readonly controller: Type;
}

/** Declares a resource, which is a plugin without settings. */
export function defineResource({
  name,
  table,
  store,
  controller,
  acrossTenants,
  exports,
  jobs,
  providers,
}: Resource): Plugin<{}> {
  return {
    name,
    tables: [table].flat(),
    controllers: [controller],
    acrossTenants,
    exports,
    jobs,
    providers: (settings) => [store, ...(providers?.(settings) ?? [])],
  };
}
