import { AuthGuard } from '@app/auth';
import { InputPipe } from '@app/contract';
import { HttpStatus, VersioningType } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  SSE_METADATA,
} from '@nestjs/common/internal';
import type { ApplicationConfig } from '@nestjs/core';
import { ErrorFilter } from '../errors/error.filter';
import type { RouteParts } from '../routes/compile-route';
import { type ControllerMethod, methodOf } from '../routes/controller-methods.discovery';
import { hasOtherInterceptors } from '../routes/handler.interceptor';
import { uploadRuleOf } from '../routes/file-routes';
import { argumentReader } from './argument-readers.discovery';

/** The way a route is served: by the pipeline, or by Fastify and Nest for a stated reason. */
export type RouteKind =
  | { readonly kind: 'compiled'; readonly parts: CompiledParts }
  | { readonly kind: 'foreign'; readonly reason: string };

/** The parts of a route and its program that the pipeline calls. */
type CompiledParts = Omit<RouteParts, 'admit' | 'interceptor' | 'sender'>;

/** The global parts of a program that uses only Sluice parts. */
interface OwnParts {
  readonly guard: AuthGuard | undefined;
  readonly pipe: InputPipe;
  readonly filter: ErrorFilter;
}

/** The program-wide facts that decide how routes are served. */
export interface ProgramRoutes {
  readonly config: ApplicationConfig;
  /** The reason why no route of the program is compiled. */
  readonly foreign?: string;
}

/**
 * Decides how a route is served. A route is compiled if its guard, pipe and filter come from Sluice and it uses only features
 * that Sluice implements too.
 *
 * @param method the method as Nest registers it, such as `POST`
 * @param handled `undefined` if the handler cannot be found by its name
 */
export function kindOf(
  method: string,
  handled: ControllerMethod | undefined,
  program: ProgramRoutes,
): RouteKind {
  const own = program.foreign ?? ownParts(program.config);
  if (typeof own === 'string') return foreign(own);
  if (handled === undefined) return foreign('two controllers have its class and its method by name');
  const { controller, instance, name } = handled;
  const handler: unknown = Reflect.get(instance, name);
  if (!handled.isStatic || typeof handler !== 'function')
    return foreign('its controller is made for each request');
  if (uploadRuleOf(methodOf(handled)) !== undefined)
    return foreign('@Upload() receives its files through @fastify/multipart');
  const part = ownPartOf(handler, controller);
  if (part !== undefined) return foreign(`${part} belongs to it`);
  const readArguments = argumentReader(controller, name, own.pipe);
  if (readArguments === undefined) return foreign('Nest reads a parameter of its handler');
  const { guard, filter } = own;
  return {
    kind: 'compiled',
    parts: {
      instance,
      handler,
      status: statusOf(handler, method),
      headers: Reflect.getMetadata(HEADERS_METADATA, handler) ?? [],
      authorize: guard?.checkOf(handler, controller),
      readArguments,
      sendError: (error, request, reply) => filter.sendError(error, request, reply),
    },
  };
}

function foreign(reason: string): RouteKind {
  return { kind: 'foreign', reason };
}

/** Returns the global guard, pipe and filter, or a text that says which global part is foreign. */
function ownParts(config: ApplicationConfig): OwnParts | string {
  const [guard, ...guards] = [...config.getGlobalGuards(), ...config.getGlobalRequestGuards()];
  const [pipe, ...pipes] = [...config.getGlobalPipes(), ...config.getGlobalRequestPipes()];
  const [filter, ...filters] = [...config.getGlobalFilters(), ...config.getGlobalRequestFilters()];
  const interceptors = [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()];
  if (guards.length > 0 || !(guard === undefined || isExactly(AuthGuard, guard)))
    return 'the program has a guard of its own';
  if (pipes.length > 0 || !isExactly(InputPipe, pipe)) return 'the program has a pipe of its own';
  if (filters.length > 0 || !isExactly(ErrorFilter, filter))
    return 'the program has an exception filter of its own';
  if (interceptors.length > 0) return 'the program has an interceptor';
  if (config.getGlobalPreRequestHooks().length > 0) return 'the program has a hook before requests';
  const versioning = config.getVersioning();
  // A URI version is part of the path. Every other version is read from each request.
  if (versioning !== undefined && versioning.type !== VersioningType.URI) return 'each request has a version';
  return { guard, pipe, filter };
}

/** Returns whether a part is an instance of exactly this class. A subclass does not count because it may behave differently. */
function isExactly<Part extends object>(type: new (...args: never[]) => Part, part: unknown): part is Part {
  return typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === type.prototype;
}

/** The decorators that only Nest implements, with the metadata that they set on a handler or its class. */
const decorators = {
  '@UseFilters()': EXCEPTION_FILTERS_METADATA,
  '@UseGuards()': GUARDS_METADATA,
  'a host': HOST_METADATA,
  '@UsePipes()': PIPES_METADATA,
  '@Redirect()': REDIRECT_METADATA,
  '@Render()': RENDER_METADATA,
  '@Sse()': SSE_METADATA,
};

/** Returns the decorator on a handler or its class that only Nest implements, or `undefined`. */
function ownPartOf(handler: object, controller: object): string | undefined {
  // `@Controller()` always sets a host and a version, usually `undefined`.
  const isSet = (key: string) => Reflect.getMetadata(key, controller) !== undefined;
  if (hasOtherInterceptors(handler) || isSet(INTERCEPTORS_METADATA)) return '@UseInterceptors()';
  return Object.entries(decorators).find(([, key]) => Reflect.hasMetadata(key, handler) || isSet(key))?.[0];
}

function statusOf(handler: object, method: string): number {
  const declared: number | undefined = Reflect.getMetadata(HTTP_CODE_METADATA, handler);
  return declared ?? (method === 'POST' ? HttpStatus.CREATED : HttpStatus.OK);
}
