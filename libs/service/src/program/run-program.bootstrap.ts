import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FactorDeclaration, FirstAdministrator, type PluginHooks } from '@app/accounts';
import type { OwnErrors } from '@app/contract';
import { Database, type DatabaseSchema, type TableDefinition } from '@app/persistence';
import { workerNumber } from '@app/settings';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../commands/run-command';
import type { Command } from '../commands/command';
import { type Logs, openLogs, silentLogs } from '../logs/open-logs';
import type { Declarations, SettingsOf } from '@app/settings';
import type { ServiceSettings, serviceSettings } from './service-settings';
import { drainDelayOf } from '../shutdown/shutdown-settings';
import { banner, type Listening, listeningFields, type NewAdministrator } from '../process/banner';
import { CannotListenError, type ListenAddress } from '../process/errors';
import { newStoreOption, refuseMissingStore, type StorePlaces } from '../commands/missing-store';
import { startFailure } from './start-failure';
import { urlsOf } from '../process/urls';
import { keepTick } from '../process/node.internals';
import { handleOperatorSignals } from '../process/operator-signals';
import {
  exitOnUncaughtException,
  ignoreBrokenPipes,
  shutdownDeadlineMs,
  shutDownOnSignals,
} from '../process/process-exit';
import { joinSupervisor } from '../process/worker';
import { AboutService, type ReferenceHead } from '../identity/about.service';
import { describeRoutes } from '../contract/describe-routes.discovery';
import { getOptional } from '../routes/get-optional.discovery';
import { ProgramMetrics } from '../metrics/program-metrics.service';
import type { ModuleRoutes } from '../adapter/module-route.decorator';
import { schemasOf } from '../schema';
import { createProgram } from './create-program.bootstrap';
import { type ProgramDeclarations, readProgramSettings } from './read-program-settings';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.service';

/** The plan of a program that runs. */
export interface ProgramPlan<D extends Declarations & typeof serviceSettings> extends ProgramDeclarations<D> {
  /** The application's name, as in `nest-cli.json`. */
  readonly name: string;
  /** The application's own tables, created after the library tables. The store records their migrations under its name. */
  readonly tables?: readonly TableDefinition[];
  /** The factors of its plugins, for commands that end access through them. */
  readonly factors?: readonly FactorDeclaration[];
  /** The hooks of its plugins on accounts, for commands that create or change accounts. */
  readonly accountHooks?: PluginHooks;
  /** The commands; default the commands that every program has. */
  readonly commands?: readonly Command[];
  /** The plugins' tables. The store records their migrations under the plugin names. */
  readonly schemas?: readonly DatabaseSchema[];
  /** The names of the plugins' health checks. */
  readonly healthChecks?: readonly string[];
  /** Makes its root module from its settings. */
  readonly module: (settings: SettingsOf<D>) => Type | DynamicModule;
  /** The descriptions of classes and handlers for the API reference, generated from the sources by `npm run generate`. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** The title and introduction of the API reference; default: the names of the workspace and the program. */
  readonly reference?: ReferenceHead;
  /** Registers Fastify plugins and hooks, before the routes. */
  readonly plugins?: (server: FastifyInstance, settings: SettingsOf<D>) => void | Promise<void>;
  /** Configures the Nest application, such as versions and WebSocket adapters. */
  readonly configure?: (app: NestFastifyApplication, settings: SettingsOf<D>) => void | Promise<void>;
  /**
   * The beginning of paths, such as `/api` in `GET /api/users`. Health checks and `/metrics` are served without it too.
   * `Location`, `Link`, problems and the OpenAPI server URL contain the prefix. The OpenAPI paths omit it.
   */
  readonly prefix?: string;
  /** The callers of routes that modules and plugins register beside the controllers. */
  readonly moduleRoutes?: ModuleRoutes;
  /** The application's own error form, which replaces `{statusCode, message, error}`. It is described and sent everywhere. */
  readonly errors?: OwnErrors;
  /**
   * Removes the members without a rule from the bodies of all routes, for clients that send whole objects back. By default they
   * are rejected, except on routes with `@Body({ unknown: 'strip' })`.
   */
  readonly unknownMembers?: 'strip';
}

/**
 * Runs a program, or the command that its arguments name. It reads the settings, starts the program, reports where it listens,
 * and shuts it down gracefully on a signal. A failed start writes the reason to standard error and exits with 1.
 */
export async function runProgram<const D extends Declarations & typeof serviceSettings>(
  plan: ProgramPlan<D>,
): Promise<void> {
  ignoreBrokenPipes();
  const isSupervised = workerNumber() !== undefined;
  // Node starts a worker of a single executable with an argument more: the executable.
  const args = isSupervised ? [] : process.argv.slice(2);
  if (args.some((argument) => argument !== newStoreOption))
    return runCommand(args, {
      histories: schemasOf(plan).all,
      declarations: plan.declarations,
      factors: plan.factors,
      accountHooks: plan.accountHooks,
      commands: plan.commands,
    });
  let logs = silentLogs();
  try {
    const settings = readProgramSettings(plan, process.env);
    const opened = await openLogs(plan.name, settings.LOG_LEVEL, { file: settings.LOG_FILE });
    logs = opened;
    const isSupervisor = settings.WORKERS > 1 && !isSupervised;
    if (isSupervisor) {
      const { runWorkers } = await import('../workers/run-workers.js');
      announce(await runWorkers(settings, opened), settings, logs);
    } else await start(plan, settings, logs);
  } catch (error) {
    await exitAfterFailedStart(plan.name, error, logs);
  }
}

async function start<D extends Declarations & typeof serviceSettings>(
  {
    name,
    tables,
    schemas,
    healthChecks,
    module,
    descriptions,
    plugins,
    errors,
    configure,
    prefix,
    moduleRoutes,
    unknownMembers,
    reference,
  }: ProgramPlan<D>,
  settings: SettingsOf<D>,
  logs: Logs,
): Promise<void> {
  const places: ServiceSettings & StorePlaces = settings;
  refuseMissingStore(places);
  keepTick();
  let app: NestFastifyApplication | undefined;
  exitOnUncaughtException(logs);
  handleOperatorSignals(logs);
  const drainMs = drainDelayOf(settings);
  shutDownOnSignals(async () => app && shutDown(app, drainMs), logs, shutdownDeadlineMs + drainMs);
  app = await createProgram({
    name,
    module: module(settings),
    settings,
    logs,
    descriptions,
    tables,
    schemas,
    healthChecks,
    plugins: (server) => plugins?.(server, settings),
    errors,
    prefix,
    moduleRoutes,
    unknownMembers,
    reference,
    configure: (created) => configure?.(created, settings),
  });
  try {
    const port = await listen(app, settings);
    const listening = listeningOf(app, urlsOf(settings.HOST, port, prefix));
    // The supervisor of several workers reports where they listen, and serves the metrics of all.
    if (workerNumber() !== undefined) return joinSupervisor(listening, settings.WORKER_TIMEOUT);
    const metrics = app.get(ProgramMetrics, { strict: false });
    announce({ ...listening, metrics: await metrics.serve(settings) }, settings, logs);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Shuts down after a delay, in which the program serves as before and load balancers stop sending requests. */
async function shutDown(app: NestFastifyApplication, delayMs: number): Promise<void> {
  if (delayMs > 0) {
    app.get(GracefulShutdown, { strict: false }).announce();
    await pause(delayMs);
  }
  await app.close();
}

/** Starts to listen. @returns the actual port, if `PORT=0` */
async function listen(app: NestFastifyApplication, place: ListenAddress): Promise<number> {
  try {
    await app.listen(place.PORT, hostOf(place));
  } catch (cause) {
    throw new CannotListenError({ PORT: place.PORT, HOST: place.HOST }, cause);
  }
  return place.PORT === 0 ? Number(new URL(await app.getUrl()).port) : place.PORT;
}

/** Returns the address. For `localhost` Fastify would open a second server, and its connections would not be drained. */
function hostOf({ HOST }: ListenAddress): string {
  return HOST === 'localhost' ? '127.0.0.1' : HOST;
}

function listeningOf(app: NestFastifyApplication, urls: Listening['urls']): Listening {
  const routes = describeRoutes(app);
  const first = getOptional(app, FirstAdministrator);
  return {
    about: app.get(AboutService, { strict: false }).about(),
    urls,
    database: databaseOf(getOptional(app, Database)),
    administrator: administratorOf(first),
    ignoredAdministrator: first?.ignoredEmail,
    routeCount: routes.length,
    publicRoutes: routes
      .filter(({ callers }) => callers.isPublic)
      .map(({ method, path }) => `${method} ${path}`),
  };
}

/** Returns the place of the database. A SQLite path becomes absolute, because the working directory is not shown. */
function databaseOf(db: Database | undefined): string | undefined {
  return db?.dialect === 'sqlite' ? resolve(db.place) : db?.place;
}

function administratorOf(first: FirstAdministrator | undefined): NewAdministrator | undefined {
  const created = first?.created;
  return created?.file === undefined ? created : { ...created, file: resolve(created.file) };
}

function announce(listening: Listening, { LOG_FILE }: ServiceSettings, { log }: Logs): void {
  const { isTTY } = process.stdout;
  if (isTTY) process.stdout.write(banner(listening));
  if (!isTTY || LOG_FILE !== undefined) log.info(listeningFields(listening), 'listening');
}

async function exitAfterFailedStart(name: string, error: unknown, logs: Logs): Promise<void> {
  logs.log.debug({ err: error }, 'start failed');
  await logs.flush();
  for (const line of startFailure(`sluice ${name}`, error)) process.stderr.write(`${line}\n`);
  process.exit(1);
}
