import { findAuthOptions, routeRules, takesCaller } from '@app/auth';
import { pagedClass } from '@app/paging';
import { type DeclaredAnswer, declaredAnswer } from '@app/serialization';
import { parametersOf, type RouteParameter } from '@app/validation';
import { type INestApplicationContext, RequestMethod } from '@nestjs/common';
import {
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
} from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../about.service';
import type { DescribedAnswer, RouteCallers, RouteDescription, RouteInput } from '@app/contract';

const [ok, created] = [200, 201];

type Handler = (...given: never[]) => unknown;

/**
 * Describes every route of a program by what its decorators say, by path and then by method. A handler of several
 * paths is described once for each.
 *
 * Read from Nest's own discovery, so that it is there as soon as the program is made, before `init`. Prefixes and
 * versions that were set on the application are not looked at: our programs set none.
 */
export function describeRoutes(app: INestApplicationContext): readonly RouteDescription[] {
  const { application } = app.get<ProgramIdentity>(PROGRAM_IDENTITY, { strict: false });
  const strategies = [...(findAuthOptions(app)?.strategies.keys() ?? [])];
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => (metatype === null ? [] : handlersOf(metatype)))
    .flatMap((route) => describe(route, { application, strategies }))
    .toSorted((one, other) => compare(one.path, other.path) || compare(one.method, other.method));
}

/** What is the same for all routes of a program. */
interface Program {
  readonly application: string;
  readonly strategies: readonly string[];
}

/** A method of a controller that answers requests. */
interface Handling {
  readonly controller: Function;
  readonly name: string;
  readonly handler: Handler;
  readonly method: string;
}

function handlersOf(controller: Function): Handling[] {
  const prototype: Record<string, Handler> = controller.prototype;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const method: RequestMethod | undefined = Reflect.getMetadata(METHOD_METADATA, handler);
    return method === undefined ? [] : [{ controller, name, handler, method: RequestMethod[method] }];
  });
}

function describe(route: Handling, { application, strategies }: Program): RouteDescription[] {
  const { controller, name, handler, method } = route;
  const whole = parametersOf(controller, name).filter(({ field }) => field === undefined);
  const answer = declaredAnswer(controller, name);
  const status: number = Reflect.getMetadata(HTTP_CODE_METADATA, handler) ?? usualStatus(method);
  const described = {
    application,
    method,
    controller,
    handler: name,
    callers: callersOf(route, strategies),
    body: inputOf(whole, 'body'),
    query: inputOf(whole, 'query'),
    params: inputOf(whole, 'path'),
    answer: answerOf(answer),
    sends: answer.kind,
    status,
    mediaType: ownMediaType(handler) ?? mediaTypes[answer.kind],
  };
  return pathsOf(route).map((path) => Object.assign({ path }, described));
}

function usualStatus(method: string): number {
  return method === 'POST' ? created : ok;
}

function callersOf({ controller, name, handler }: Handling, known: readonly string[]): RouteCallers {
  const { isPublic, strategies = known.slice(0, 1), roles } = routeRules(handler, controller);
  return { isPublic, strategies: isPublic ? [] : strategies, roles, isOwn: takesCaller(controller, name) };
}

function inputOf(
  parameters: readonly RouteParameter[],
  place: RouteParameter['from'],
): RouteInput | undefined {
  const found = parameters.find(({ from, type }) => from === place && type !== undefined);
  return found?.type && { type: found.type, groups: found.groups };
}

function answerOf(declared: DeclaredAnswer): DescribedAnswer | undefined {
  if (declared.kind !== 'class') return undefined;
  const { type: whole, isList, options } = declared;
  const item = pagedClass(whole);
  return {
    type: item ?? whole,
    shape: item ? 'page' : isList ? 'list' : 'one',
    whole,
    groups: options.groups ?? [],
    options,
    version: options.version,
  };
}

/** What the framework sends an answer as, where its handler does not say. */
const mediaTypes: Readonly<Record<DeclaredAnswer['kind'], string | undefined>> = {
  class: 'application/json; charset=utf-8',
  anything: 'application/json; charset=utf-8',
  undeclared: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  bytes: 'application/octet-stream',
  nothing: undefined,
};

function ownMediaType(handler: Handler): string | undefined {
  const headers: readonly { name: string; value: unknown }[] =
    Reflect.getMetadata(HEADERS_METADATA, handler) ?? [];
  const own = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return typeof own === 'string' ? own : undefined;
}

function pathsOf({ controller, handler }: Handling): string[] {
  return namedPaths(controller).flatMap((base) => namedPaths(handler).map((path) => joined(base, path)));
}

function namedPaths(decorated: object): string[] {
  const paths: string | string[] | undefined = Reflect.getMetadata(PATH_METADATA, decorated);
  return [paths ?? ''].flat();
}

function joined(base: string, path: string): string {
  return `/${`${base}/${path}`.split('/').filter(Boolean).join('/')}`;
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en');
}
