import type { IncomingMessage } from 'node:http';
import { addressSubject } from '@app/accounts';
import { Database } from '@app/persistence';
import { bindSerialization } from '@app/serialization';
import { invalidInput, ValidationPipe } from '@app/validation';
import { type DynamicModule, type FactoryProvider, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { allowOrigins, originHeaders } from '../ingress/cors';
import { fastifyOptions } from '../ingress/fastify-options';
import { connectionsPerAddress, limitConnections, openFileLimit } from '../ingress/limit-connections';
import { limitPipelining } from '../ingress/limit-pipelining';
import { ingressLimits } from '../ingress/limits';
import { type RegisterPlugins, registerPlugins } from '../ingress/plugins';
import { OverloadDetector } from '../ingress/overload';
import { GatheredLines } from '../logs/gathered-lines';
import { type Logs, silentLogs } from '../logs/open-logs';
import { logRequests, makeRequestId } from '../logs/request-log';
import type { SettingsOf } from '../settings/declaration';
import type { serviceSettings } from '../settings/service-settings';
import { readManifest } from '../lifecycle/manifest';
import { ApiDescription } from './docs/api-description';
import { checkContract } from './check-contract';
import { bypassSerializerInFilters } from './ingress/filter-replies';
import { ErrorFilter } from './ingress/error.filter';
import { installIngress } from './ingress/install-ingress';
import { shedLoad } from '../ingress/shed-load';
import { rejectSlowUploads } from '../ingress/slow-uploads';
import { GracefulShutdown } from './graceful-shutdown';
import { Idempotency } from './idempotency/idempotency';
import { strippedFieldsSettings, logStrippedFields } from './stripped-fields-log';
import { NestLogger } from './nest-logger';
import { RateLimiting } from './rate-limiting';
import { RouteAdapter } from './route/route-adapter';
import { ServiceModule } from './service.module';
import { DiskUploads } from '../upload/disk-uploads';
import { UploadStore } from '../upload/upload-store';
import { UploadRoutes } from './upload/upload-routes';

/** The settings that every program needs. */
export type ServiceSettings = SettingsOf<typeof serviceSettings>;

/** What a program is created from. */
export interface ProgramParts {
  /** The application, as in `nest-cli.json`. */
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly settings: ServiceSettings;
  /** Default: nothing is logged. */
  readonly logs?: Logs;
  /** Registers Fastify plugins and hooks; called before the routes are registered. */
  readonly plugins?: RegisterPlugins;
  /** Where uploaded files are kept; default the folder `UPLOAD_DIR`. */
  readonly uploads?: UploadStore;
  /** `nest` compiles no route; for tests that compare both. */
  readonly routes?: 'compiled' | 'nest';
}

/**
 * Creates a program that is initialised but does not listen yet. Tests send it requests with `inject`.
 *
 * @throws ContractError, or any error of a module's start; resources that were opened until then are closed
 */
export async function createProgram(parts: ProgramParts): Promise<NestFastifyApplication> {
  const app = await makeProgram(parts);
  const { settings, logs: { log } = silentLogs() } = parts;
  const isProduction = settings.NODE_ENV === 'production';
  const server = app.getHttpAdapter().getInstance();
  try {
    if (parts.plugins) await registerPlugins(server, parts.plugins);
    bindSerialization(app, { hardened: true, strippedFields: strippedFieldsSettings(isProduction, log) });
    if (isProduction) server.addHook('onClose', async () => logStrippedFields(app, log));
    await app.init();
    await server.ready();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * Creates a program and checks its contract, without initialising it: no lifecycle hook has run and no route is
 * registered. For scripts that describe it.
 *
 * @throws ContractError, or any error of a factory; resources that were opened until then are closed
 */
export async function makeProgram({
  name,
  module,
  settings,
  logs = silentLogs(),
  routes = 'compiled',
  uploads: uploadStore,
}: ProgramParts): Promise<NestFastifyApplication> {
  const adapter = new RouteAdapter({
    ...fastifyOptions(),
    genReqId: makeRequestId,
    trustProxy: trustProxyOption(settings),
    return503OnClosing: false,
  });
  const lines = new GatheredLines();
  logRequests(adapter.getInstance(), logs.log, lines);
  const root = {
    module: Program,
    imports: [
      ServiceModule.forRoot(
        { ...readManifest(), application: name },
        uploadStore ?? new DiskUploads(settings.UPLOAD_DIR),
      ),
      module,
    ],
    // Bound first: Nest runs the first pipe before all others, and the first filter after all others.
    providers: [
      { provide: APP_PIPE, useValue: new ValidationPipe(validationOptions) },
      { provide: APP_FILTER, useValue: new ErrorFilter(settings, logs.log, lines) },
      rateLimiting(settings),
    ],
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(logs.log),
    abortOnError: false,
    bodyParser: false,
  });
  try {
    installIngress(app);
    bypassSerializerInFilters(app);
    allowOrigins(adapter.getInstance(), settings.CORS_ORIGINS, logs.log);
    shedLoad(adapter.getInstance().server, overloadDetectorOf(app, settings), logs.log, (origin) =>
      originHeaders(settings.CORS_ORIGINS, origin),
    );
    limitPipelining(adapter.getInstance().server);
    const uploads = new UploadRoutes(app.get(UploadStore, { strict: false }));
    protectConnections(app, settings, logs, lines, uploads);
    adapter.getInstance().server.once('close', () => lines.flush());
    const { limits } = app.get(RateLimiting);
    const { requests } = app.get(Idempotency);
    adapter.prepareRoutesOf(app, { limits, uploads, requests, isCompiling: routes === 'compiled' });
    checkContract(app);
    app.get(ApiDescription).describe(app, settings);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

function overloadDetectorOf(
  app: NestFastifyApplication,
  { MAX_DELAY: maxDelayMs, MAX_IN_FLIGHT: maxInFlight }: ServiceSettings,
): OverloadDetector {
  const shutdown = app.get(GracefulShutdown);
  return new OverloadDetector({ maxDelayMs, maxInFlight }, () => shutdown.inFlight);
}

/** Behind a proxy all connections are the proxy's, so their number is not limited. */
function protectConnections(
  app: NestFastifyApplication,
  { TRUST_PROXY }: ServiceSettings,
  { log }: Logs,
  lines: GatheredLines,
  uploads: UploadRoutes,
): void {
  const { server } = app.getHttpAdapter().getInstance();
  const perAddress = connectionsPerAddress(openFileLimit());
  if (!TRUST_PROXY) limitConnections(server, { perAddress, addressOf: addressSubject, log, lines });
  const shutdown = app.get(GracefulShutdown);
  const { uploadGraceMs: graceMs, uploadBytesPerSecond: bytesPerSecond, requestTimeoutMs } = ingressLimits;
  const mostMs = (request: IncomingMessage) => (uploads.isUpload(request) ? Infinity : requestTimeoutMs);
  rejectSlowUploads(server, () => shutdown.uploads, { graceMs, bytesPerSecond, mostMs });
}

/** A copy, as Fastify's type wants a mutable array. */
function trustProxyOption({ TRUST_PROXY }: ServiceSettings): string[] | false {
  return TRUST_PROXY && [...TRUST_PROXY];
}

function rateLimiting({ RATE_LIMIT }: ServiceSettings): FactoryProvider {
  return {
    provide: RateLimiting,
    inject: [{ token: Database, optional: true }],
    useFactory: (db: Database | undefined) => new RateLimiting(RATE_LIMIT, db),
  };
}

/** The root module: imports the program's own module and the parts that every program has. */
@Module({})
class Program {}

/** Undeclared fields are rejected, and handlers receive class instances. */
export const validationOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  hardened: true,
  keepPrimitives: true,
  exceptionFactory: invalidInput,
};
