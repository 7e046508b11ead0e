import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FirstAdministrator } from '@app/accounts';
import { Database } from '@app/persistence';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { ignoreBrokenPipes } from '../logs/broken-pipes';
import { type Logs, openLogs, silentLogs } from '../logs/open-logs';
import type { Declarations, SettingsOf } from '../settings/declaration';
import { readSettings, type SettingsCheck } from '../settings/read-settings';
import type { serviceSettings } from '../settings/service-settings';
import { banner, type Listening, listeningFields, type NewAdministrator } from '../lifecycle/banner';
import { CannotListenError, type ListenAddress } from '../lifecycle/errors';
import { collectGarbage } from '../lifecycle/collect-garbage';
import { startFailure } from '../lifecycle/start-failure';
import { urlsOf } from '../lifecycle/urls';
import { surviveSignals } from '../lifecycle/other-signals';
import { exitOnUncaughtException, shutdownDeadlineMs, shutDownOnSignals } from '../lifecycle/process-exit';
import type { UploadStore } from '../upload/upload-store';
import { AboutService } from './about.service';
import { describeRoutes } from './describe-routes';
import { getOptional } from './get-optional';
import { ProgramMetrics } from './metrics/program-metrics';
import { createProgram, type ServiceSettings } from './create-program';
import { GracefulShutdown } from './graceful-shutdown';

/** What runs as one program. */
export interface ProgramPlan<D extends Declarations & typeof serviceSettings> {
  /** The application, as in `nest-cli.json`. */
  readonly name: string;
  /** Everything it reads from the environment, `serviceSettings` included. */
  readonly declarations: D;
  /** Checks of several settings. */
  readonly checks?: readonly SettingsCheck<SettingsOf<D>>[];
  /** Makes its root module from its settings. */
  readonly module: (settings: SettingsOf<D>) => Type | DynamicModule;
  /**
   * Registers Fastify plugins and hooks, before the routes. No guard applies to a route that a plugin registers: it needs
   * `config: { isPublic: true }`.
   */
  readonly plugins?: (server: FastifyInstance, settings: SettingsOf<D>) => void | Promise<void>;
  /** Where the files of `@Upload()` are kept; default the folder `UPLOAD_DIR`. */
  readonly uploads?: (settings: SettingsOf<D>) => UploadStore;
}

/**
 * Runs a program: reads its settings, starts it, reports where it listens, and shuts it down gracefully on a signal. If the
 * start fails, the reason is written to standard error and the process exits with 1.
 */
export async function runProgram<const D extends Declarations & typeof serviceSettings>(
  plan: ProgramPlan<D>,
): Promise<void> {
  ignoreBrokenPipes();
  let logs = silentLogs();
  try {
    const settings = readSettings(plan.declarations, process.env, plan.checks);
    logs = await openLogs(plan.name, settings.LOG_LEVEL, { file: settings.LOG_FILE });
    await start(plan, settings, logs);
  } catch (error) {
    await exitAfterFailedStart(plan.name, error, logs);
  }
}

async function start<D extends Declarations & typeof serviceSettings>(
  { name, module, plugins, uploads }: ProgramPlan<D>,
  settings: SettingsOf<D>,
  logs: Logs,
): Promise<void> {
  let app: NestFastifyApplication | undefined;
  exitOnUncaughtException(logs);
  surviveSignals(logs);
  const { DRAIN_DELAY } = settings;
  shutDownOnSignals(async () => app && shutDown(app, DRAIN_DELAY), logs, shutdownDeadlineMs + DRAIN_DELAY);
  app = await createProgram({
    name,
    module: module(settings),
    settings,
    logs,
    plugins: (server) => plugins?.(server, settings),
    uploads: uploads?.(settings),
  });
  collectGarbage();
  try {
    const port = await listen(app, settings);
    const metrics = await listenForMetrics(app, settings);
    announce({ ...listeningOf(app, settings.HOST, port), metrics }, settings, logs);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Load balancers stop sending requests during the delay, in which it serves as before. */
async function shutDown(app: NestFastifyApplication, delayMs: number): Promise<void> {
  if (delayMs > 0) {
    app.get(GracefulShutdown, { strict: false }).announce();
    await pause(delayMs);
  }
  await app.close();
}

/** @returns the actual port, if `PORT=0` */
async function listen(app: NestFastifyApplication, place: ListenAddress): Promise<number> {
  try {
    await app.listen(place.PORT, hostOf(place));
  } catch (cause) {
    throw new CannotListenError({ PORT: place.PORT, HOST: place.HOST }, cause);
  }
  return place.PORT === 0 ? Number(new URL(await app.getUrl()).port) : place.PORT;
}

/** @returns the URL; `undefined` if there is none */
async function listenForMetrics(
  app: NestFastifyApplication,
  { METRICS_PORT: port, HOST }: ServiceSettings,
): Promise<string | undefined> {
  if (port === false) return undefined;
  try {
    const actual = await app.get(ProgramMetrics, { strict: false }).listen(port, HOST);
    return `${urlsOf(HOST, actual)[0]}/metrics`;
  } catch (cause) {
    throw new CannotListenError({ PORT: port, HOST, setting: 'METRICS_PORT' }, cause);
  }
}

/** For the name `localhost` Fastify opens a second server, whose connections would not be drained. */
function hostOf({ HOST }: ListenAddress): string {
  return HOST === 'localhost' ? '127.0.0.1' : HOST;
}

function listeningOf(app: NestFastifyApplication, host: string, port: number): Listening {
  const routes = describeRoutes(app);
  return {
    about: app.get(AboutService, { strict: false }).about(),
    urls: urlsOf(host, port),
    database: databaseOf(getOptional(app, Database)),
    administrator: administratorOf(getOptional(app, FirstAdministrator)),
    routeCount: routes.length,
    publicRoutes: routes
      .filter(({ callers }) => callers.isPublic)
      .map(({ method, path }) => `${method} ${path}`),
  };
}

/** With absolute paths, as the working directory is not shown. */
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
