import { randomBytes } from 'node:crypto';
import { AccessTokens } from '@app/auth';
import type { OpenApiDocument } from '@app/contract';
import { type Exchange, holdToDescription } from '@app/contract/testing';
import { temporaryDatabase } from '@app/persistence/testing';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { describeRoutes } from '../src/nest/contract/describe-routes';
import { createProgram } from '../src/nest/create-program';
import { describeApi } from '../src/nest/docs/api-description';
import type { ProgramParts, ServiceSettings } from '../src/nest/create-program';
import type { Logs } from '../src/logs/open-logs';
import type { Declarations, SettingsOf } from '../src/settings/declaration';
import { readSettings } from '../src/settings/read-settings';
import { serviceSettings } from '../src/settings/service-settings';
import { administrator, newEmail } from './administrator';
import { Client } from './client';

/** What a test says of the program that it wants to run. */
export interface BootPlan<D extends Declarations> {
  /** The application, as in `nest-cli.json`. */
  readonly name: string;
  readonly declarations: D;
  readonly module: (settings: SettingsOf<D> & ServiceSettings) => Type | DynamicModule;
  /** What differs from an environment that is fit for tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Routes of the test's own, beside the program's. */
  readonly controllers?: readonly Type[];
  /** Where it says what happens; nowhere, unless given. */
  readonly logs?: Logs;
  /** `nest` leaves every route to Nest. */
  readonly routes?: ProgramParts['routes'];
}

/** A running program: call it to speak as nobody in particular. */
export interface BootedProgram {
  (): Client;
  readonly administratorEmail: string;
  readonly administratorPassword: string;
  /** The program itself, to look inside. */
  app(): NestFastifyApplication;
  administrator(): Promise<Client>;
  /** Speaks as a user who has just signed up, where the program lets users do that. */
  newcomer(): Promise<Client>;
  /** A token that the program could have signed; the administrator's, unless told otherwise. */
  tokenOf(token: { readonly sub?: number; readonly issuedSecondsAgo?: number }): Promise<string>;
}

/**
 * Runs a program for one file of tests: real HTTP, on a port and a database of its own, which are gone
 * afterwards. SQLite, unless the environment names a PostgreSQL server for tests.
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
  });

  const program = () => {
    if (running === undefined)
      throw new Error('the program runs from beforeAll to afterAll, and not outside');
    return running;
  };
  const client = () => new Client(program().url, {}, program().inspect);
  return Object.assign(client, {
    administratorEmail: administrator.email,
    administratorPassword: administrator.password,
    app: () => program().app,
    administrator: () => client().signIn(administrator.email, administrator.password),
    newcomer: () => signUp(client()),
    tokenOf: async ({ sub, issuedSecondsAgo = 0 }: { sub?: number; issuedSecondsAgo?: number }) => {
      const tokens = new AccessTokens({ secret, ttlSeconds: 60 });
      const who = { sub: sub ?? program().administratorId, username: administrator.email };
      return tokens.sign(who, Date.now() - issuedSecondsAgo * 1000);
    },
  });
}

interface Running {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly administratorId: number;
  readonly database: { remove(): Promise<void> };
  readonly inspect: (exchange: Exchange) => void;
}

async function start<D extends Declarations>(plan: BootPlan<D>, secret: string): Promise<Running> {
  const database = await temporaryDatabase();
  const env = {
    DATABASE_URL: database.url,
    JWT_SECRET: secret,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: 'silent',
    // A machine that is busy with other tests is late, and no reason to refuse anything.
    MAX_DELAY: 'off',
    ...plan.env,
  };
  const settings = readSettings({ ...serviceSettings, ...plan.declarations }, env) as SettingsOf<D> &
    ServiceSettings;
  const { name, logs, routes } = plan;
  const app = await createProgram({ name, module: withControllers(plan, settings), settings, logs, routes });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const client = await new Client(url).signIn(administrator.email, administrator.password);
  const { userId } = (await client.get('/auth/profile')).json;
  return { app, url, administratorId: userId, database, inspect: inspectorOf(app, plan.controllers) };
}

/** Every answer that a test of a program sees is held to what the program says of itself; the test's own are not. */
function inspectorOf(app: NestFastifyApplication, own: readonly Type[] = []): (exchange: Exchange) => void {
  let hold: ((exchange: Exchange) => void) | undefined;
  return (exchange) => {
    hold ??= holdToDescription(descriptionWithout(own, app));
    hold(exchange);
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

async function signUp(client: Client): Promise<Client> {
  const [email, password] = [newEmail(), 'correct horse battery staple'];
  const { status } = await client.post('/users', { email, password });
  if (status !== 201) throw new Error(`nobody can sign up here: ${status}`);
  return client.signIn(email, password);
}
