import { bindSerialization } from '@app/serialization';
import { invalidInput, ValidationPipe } from '@app/validation';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastifyOptions } from '../ingress/fastify-options';
import { OverloadDetector } from '../ingress/overload';
import { type Logs, silentLogs } from '../logs/open-logs';
import { logRequests, makeRequestId } from '../logs/request-log';
import type { SettingsOf } from '../settings/declaration';
import type { serviceSettings } from '../settings/service-settings';
import { readManifest } from '../lifecycle/manifest';
import { ApiDescription } from './docs/api-description';
import { checkContract } from './contract/check-contract';
import { letFiltersAnswer } from './ingress/filter-replies';
import { ErrorFilter } from './ingress/error.filter';
import { installIngress } from './ingress/install-ingress';
import { shedOverload } from './ingress/shed-overload';
import { Draining } from './draining';
import { strippedFieldsSettings, tellHeldBack } from './stripped-fields-log';
import { NestLogger } from './nest-logger';
import { RouteAdapter } from './route/route-adapter';
import { ServiceModule } from './service.module';

/** What every program must have been told. */
export type ServiceSettings = SettingsOf<typeof serviceSettings>;

/** What a program is made of. */
export interface ProgramParts {
  /** The application, as in `nest-cli.json`. */
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly settings: ServiceSettings;
  /** Where it says what happens; nowhere, unless given. */
  readonly logs?: Logs;
  /** `nest` leaves every route to Nest; for tests, which hold both ways to the same answers. */
  readonly routes?: 'compiled' | 'nest';
}

/**
 * Makes a program that is complete but does not listen yet: tests ask it by `inject`.
 *
 * @throws ContractError, or whatever a module of it throws while it starts; what had been opened until then is closed again
 */
export async function createProgram(parts: ProgramParts): Promise<NestFastifyApplication> {
  const app = await makeProgram(parts);
  const { settings, logs: { log } = silentLogs() } = parts;
  const isProduction = settings.NODE_ENV === 'production';
  const server = app.getHttpAdapter().getInstance();
  try {
    bindSerialization(app, { hardened: true, strippedFields: strippedFieldsSettings(isProduction, log) });
    if (isProduction) server.addHook('onClose', async () => tellHeldBack(app, log));
    await app.init();
    await server.ready();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * Makes a program of its parts and looks at its contract, and starts nothing of it: no hook of a module has run and
 * no route answers. For whoever wants to describe it.
 *
 * @throws ContractError, or whatever a factory throws; what had been opened until then is closed again
 */
export async function makeProgram({
  name,
  module,
  settings,
  logs = silentLogs(),
  routes = 'compiled',
}: ProgramParts): Promise<NestFastifyApplication> {
  const adapter = new RouteAdapter({
    ...fastifyOptions(),
    genReqId: makeRequestId,
    trustProxy: trusted(settings),
    return503OnClosing: false,
  });
  logRequests(adapter.getInstance(), logs.log);
  const root = {
    module: Program,
    imports: [ServiceModule.forRoot({ ...readManifest(), application: name }), module],
    // Nest asks the pipe that was bound first before all others, and the filter after all others: these are the first.
    providers: [
      { provide: APP_PIPE, useValue: new ValidationPipe(strictly) },
      { provide: APP_FILTER, useValue: new ErrorFilter(settings, logs.log) },
    ],
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(logs.log),
    abortOnError: false,
    bodyParser: false,
  });
  try {
    installIngress(app);
    letFiltersAnswer(app);
    shedOverload(adapter.getInstance().server, pressureOf(app, settings), logs.log);
    if (routes === 'compiled') adapter.compileRoutesOf(app);
    checkContract(app);
    app.get(ApiDescription).describe(app, settings);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

function pressureOf(
  app: NestFastifyApplication,
  { MAX_DELAY: maxDelayMs, MAX_IN_FLIGHT: maxInFlight }: ServiceSettings,
): OverloadDetector {
  const draining = app.get(Draining);
  return new OverloadDetector({ maxDelayMs, maxInFlight }, () => draining.inFlight);
}

/** Fastify writes nothing into the list, and asks for one that it could. */
function trusted({ TRUST_PROXY }: ServiceSettings): string[] | false {
  return TRUST_PROXY && [...TRUST_PROXY];
}

/** Stands above a program's own module, and beside it the parts that every program has. */
@Module({})
class Program {}

/** No undeclared field reaches a handler, and each gets an instance of its class. */
export const strictly = {
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  hardened: true,
  exceptionFactory: invalidInput,
};
