import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignUp } from '@app/accounts';
import { AccessTokens } from '@app/auth';
import type { OpenApiDocument } from '@app/contract';
import { type Exchange, assertDescribed } from '@app/contract/testing';
import { migratedDatabase } from '@app/persistence/testing';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { describeRoutes } from '../src/contract/describe-routes.discovery';
import { createProgram } from '../src/program/create-program.bootstrap';
import { describeApi } from '../src/reference/api-description.service';
import type { ProgramParts } from '../src/program/create-program.bootstrap';
import type { Logs } from '../src/logs/open-logs';
import type { Declarations, SettingsOf } from '@app/settings';
import { schemasOf } from '../src/schema';
import { readSettings } from '../src/settings/read-settings';
import { type ServiceSettings, serviceSettings } from '../src/program/service-settings';
import { administrator, newEmail } from './administrator';
import { Client } from './client';

/** The program that a test starts. */
export interface BootPlan<D extends Declarations> {
  /** The application's name, as in `nest-cli.json`. */
  readonly name: string;
  readonly declarations: D;
  readonly module: (settings: SettingsOf<D> & ServiceSettings) => Type | DynamicModule;
  readonly plugins?: (
    server: FastifyInstance,
    settings: SettingsOf<D> & ServiceSettings,
  ) => void | Promise<void>;
  readonly descriptions?: Readonly<Record<string, string>>;
  readonly reference?: ProgramParts['reference'];
  readonly tables?: ProgramParts['tables'];
  readonly schemas?: ProgramParts['schemas'];
  readonly healthChecks?: ProgramParts['healthChecks'];
  readonly errors?: ProgramParts['errors'];
  readonly prefix?: ProgramParts['prefix'];
  readonly moduleRoutes?: ProgramParts['moduleRoutes'];
  readonly unknownMembers?: ProgramParts['unknownMembers'];
  readonly configure?: (
    app: NestFastifyApplication,
    settings: SettingsOf<D> & ServiceSettings,
  ) => void | Promise<void>;
  /** The overrides of the test environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The additional routes. */
  readonly controllers?: readonly Type[];
  /** The logs; by default nothing is logged. */
  readonly logs?: Logs;
  /** The way that routes run; `nest` compiles no route. */
  readonly routes?: ProgramParts['routes'];
}

/** A running program. Calling it returns an anonymous client. */
export interface BootedProgram {
  (): Client;
  readonly administratorEmail: string;
  readonly administratorPassword: string;
  /** Returns the Nest application. */
  app(): NestFastifyApplication;
  administrator(): Promise<Client>;
  /** Returns a client for a new user. */
  newcomer(): Promise<Client>;
  /** Returns a valid token; default the administrator's. */
  tokenOf(token: {
    readonly sub?: number;
    readonly username?: string;
    readonly sid?: string;
    readonly issuedSecondsAgo?: number;
  }): Promise<string>;
}

/**
 * Runs a program for a test file, over real HTTP with its own port. Its own database is SQLite, unless the environment names a
 * PostgreSQL server, and is removed afterwards.
 */
export function bootProgram<const D extends Declarations>(plan: BootPlan<D>): BootedProgram {
  const secret = randomBytes(32).toString('base64url');
  let running: Running | undefined;
  beforeAll(async () => {
    running = await start(plan, secret);
  });
  afterAll(async () => {
    await running?.app.close();
    await running?.database.remove();
    await rm(uploadsOf(secret), { recursive: true, force: true });
  });

  const program = () => {
    if (running === undefined) throw new Error('the program only runs between beforeAll and afterAll');
    return running;
  };
  const client = () => new Client(program().url, {}, program().inspect);
  return Object.assign(client, {
    administratorEmail: administrator.email,
    administratorPassword: administrator.password,
    app: () => program().app,
    administrator: () => client().signIn(administrator.email, administrator.password),
    newcomer: () => signUp(program().app, client()),
    tokenOf: async ({
      sub,
      username = administrator.email,
      sid,
      issuedSecondsAgo = 0,
    }: Parameters<BootedProgram['tokenOf']>[0]) => {
      const tokens = new AccessTokens({ secret, ttlSeconds: 60 });
      const now = Date.now() - issuedSecondsAgo * 1000;
      const who = { sub: sub ?? program().administratorId, username, sid };
      return tokens.sign({ ...who, auth_time: Math.floor(now / 1000) }, now);
    },
  });
}

/** Returns the upload folder for a test file. The first upload creates it. */
function uploadsOf(secret: string): string {
  return join(tmpdir(), `sluice-uploads-${secret}`);
}

interface Running {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly administratorId: number;
  readonly database: { remove(): Promise<void> };
  readonly inspect: (exchange: Exchange) => void;
}

async function start<D extends Declarations>(plan: BootPlan<D>, secret: string): Promise<Running> {
  const { name, tables, schemas, healthChecks, logs, routes } = plan;
  const database = await migratedDatabase(schemasOf(plan).all);
  const env = {
    DATABASE_URL: database.url,
    JWT_SECRET: secret,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: 'silent',
    UPLOAD_DIR: uploadsOf(secret),
    // Tests must not be rejected as overload on a busy machine.
    MAX_DELAY: 'off',
    ...plan.env,
  };
  const settings = readSettings({ ...serviceSettings, ...plan.declarations }, env) as SettingsOf<D> &
    ServiceSettings;
  const app = await createProgram({
    name,
    module: withControllers(plan, settings),
    settings,
    logs,
    routes,
    descriptions: plan.descriptions,
    reference: plan.reference,
    tables,
    schemas,
    healthChecks,
    plugins: (server) => plan.plugins?.(server, settings),
    errors: plan.errors,
    prefix: plan.prefix,
    moduleRoutes: plan.moduleRoutes,
    unknownMembers: plan.unknownMembers,
    configure: (created) => plan.configure?.(created, settings),
  });
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}${plan.prefix ?? ''}`;
  const client = await new Client(url).signIn(administrator.email, administrator.password);
  const { userId } = (await client.get('/auth/profile')).json;
  return { app, url, administratorId: userId, database, inspect: inspectorOf(app, plan.controllers) };
}

/** Returns a function that checks every response against the program's OpenAPI document, except for the test's own routes. */
function inspectorOf(app: NestFastifyApplication, own: readonly Type[] = []): (exchange: Exchange) => void {
  let check: ((exchange: Exchange) => void) | undefined;
  return (exchange) => {
    check ??= assertDescribed(descriptionWithout(own, app));
    check(exchange);
  };
}

function descriptionWithout(own: readonly Function[], app: NestFastifyApplication): OpenApiDocument {
  const document = describeApi(app);
  const routes = describeRoutes(app).filter(({ controller }) => own.includes(controller));
  const without = new Set(routes.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')));
  const paths = Object.entries(document.paths).filter(([path]) => !without.has(path));
  return { ...document, paths: Object.fromEntries(paths) };
}

function withControllers<D extends Declarations>(
  { module, controllers = [] }: BootPlan<D>,
  settings: SettingsOf<D> & ServiceSettings,
): DynamicModule {
  class Root {}
  return { module: Root, imports: [module(settings)], controllers: [...controllers] };
}

/** Signs up a user without using a route, because the program may lack it. */
async function signUp(app: NestFastifyApplication, client: Client): Promise<Client> {
  const [email, password] = [newEmail(), 'correct horse battery staple'];
  await app.get(SignUp, { strict: false }).create({ email, password });
  return client.signIn(email, password);
}
