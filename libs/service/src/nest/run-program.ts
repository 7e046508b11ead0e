import { resolve } from 'node:path';
import { FirstAdministrator } from '@app/accounts';
import { Database } from '@app/persistence';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { outliveReaders } from '../logs/closed-pipes';
import { type Logs, openLogs, silentLogs } from '../logs/open-logs';
import type { Declarations, SettingsOf } from '../settings/declaration';
import { readSettings, type SettingsCheck } from '../settings/read-settings';
import type { serviceSettings } from '../settings/service-settings';
import { banner, type Listening, listeningFields, type NewAdministrator } from '../lifecycle/banner';
import { CannotListenError, type Place } from '../lifecycle/errors';
import { giveBackMemory } from '../lifecycle/memory';
import { startFailure } from '../lifecycle/start-failure';
import { urlsOf } from '../lifecycle/urls';
import { endOnSignals, endOnUncaught } from '../lifecycle/end-on-signals';
import { AboutService } from './about.service';
import { describeRoutes } from './contract/describe-routes';
import { createProgram } from './create-program';

/** What a `main.ts` says about its program. */
export interface ProgramPlan<D extends Declarations & typeof serviceSettings> {
  /** The application, as in `nest-cli.json`. */
  readonly name: string;
  /** Everything it reads from the environment, `serviceSettings` among it. */
  readonly declarations: D;
  /** Rules about several settings at once. */
  readonly checks?: readonly SettingsCheck<SettingsOf<D>>[];
  /** Makes its root module from what was read. */
  readonly module: (settings: SettingsOf<D>) => Type | DynamicModule;
}

/**
 * Runs a program: reads its settings, starts it, says where it listens, and ends it in order when it is asked to.
 * What keeps it from starting is told in a line on standard error, and ends the process with 1.
 */
export async function runProgram<const D extends Declarations & typeof serviceSettings>(
  plan: ProgramPlan<D>,
): Promise<void> {
  outliveReaders();
  let logs = silentLogs();
  try {
    const settings = readSettings(plan.declarations, process.env, plan.checks);
    logs = await openLogs(plan.name, settings.LOG_LEVEL);
    await start(plan, settings, logs);
  } catch (error) {
    await endStart(plan.name, error, logs);
  }
}

async function start<D extends Declarations & typeof serviceSettings>(
  { name, module }: ProgramPlan<D>,
  settings: SettingsOf<D>,
  logs: Logs,
): Promise<void> {
  let app: NestFastifyApplication | undefined;
  endOnUncaught(logs);
  endOnSignals(async () => await app?.close(), logs);
  app = await createProgram({ name, module: module(settings), settings, logs });
  giveBackMemory();
  try {
    const port = await listen(app, settings);
    announce(factsOf(app, settings.HOST, port), logs);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** @returns the port it really has, where 0 was asked for */
async function listen(app: NestFastifyApplication, place: Place): Promise<number> {
  try {
    await app.listen(place.PORT, hostOf(place));
  } catch (cause) {
    throw new CannotListenError({ PORT: place.PORT, HOST: place.HOST }, cause);
  }
  return place.PORT === 0 ? Number(new URL(await app.getUrl()).port) : place.PORT;
}

/** Fastify opens a second server of its own for the name `localhost`, whose connections nobody would drain. */
function hostOf({ HOST }: Place): string {
  return HOST === 'localhost' ? '127.0.0.1' : HOST;
}

function factsOf(app: NestFastifyApplication, host: string, port: number): Listening {
  const routes = describeRoutes(app);
  return {
    about: app.get(AboutService, { strict: false }).about(),
    urls: urlsOf(host, port),
    place: placeOf(ifThere(app, Database)),
    administrator: administratorOf(ifThere(app, FirstAdministrator)),
    routeCount: routes.length,
    publicRoutes: routes
      .filter(({ callers }) => callers.isPublic)
      .map(({ method, path }) => `${method} ${path}`),
  };
}

/** Files are named in full: the reader may not know in which folder the program runs. */
function placeOf(db: Database | undefined): string | undefined {
  return db?.dialect === 'sqlite' ? resolve(db.place) : db?.place;
}

function administratorOf(first: FirstAdministrator | undefined): NewAdministrator | undefined {
  const created = first?.created;
  return created?.file === undefined ? created : { ...created, file: resolve(created.file) };
}

/** Not every program has a store. */
function ifThere<T>(app: NestFastifyApplication, what: Type<T>): T | undefined {
  try {
    return app.get(what, { strict: false });
  } catch {
    return undefined;
  }
}

function announce(listening: Listening, { log }: Logs): void {
  if (process.stdout.isTTY) process.stdout.write(banner(listening));
  else log.info(listeningFields(listening), 'listening');
}

async function endStart(name: string, error: unknown, logs: Logs): Promise<void> {
  logs.log.debug({ err: error }, 'the start failed');
  await logs.flush();
  for (const line of startFailure(`sluice ${name}`, error)) process.stderr.write(`${line}\n`);
  process.exit(1);
}
