import { findAuthOptions } from '@app/auth';
import type { RouteDescription } from '@app/contract';
import { type INestApplicationContext, RequestMethod } from '@nestjs/common';
import {
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
} from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type DeclaredHandler, describeRoute } from '../route/describe-route';
import { ifMatchRuleOf, isIdempotent } from './around/declared';
import { entityTagRuleOf } from './conditions/entity-tags';
import { PROGRAM_IDENTITY, type ProgramIdentity } from './about.service';
import { uploadRuleOf } from './upload/upload.decorator';

type Handler = DeclaredHandler['handler'];

/**
 * Describes every route of a program by its decorators, ordered by path and then by method. A handler with several paths
 * is described once for each.
 *
 * Uses Nest's public discovery, so it works as soon as the program is created, before `init`. Global prefixes and
 * versioning are ignored: our programs use neither.
 */
export function describeRoutes(app: INestApplicationContext): readonly RouteDescription[] {
  const { application } = app.get<ProgramIdentity>(PROGRAM_IDENTITY, { strict: false });
  const strategies = [...(findAuthOptions(app)?.strategies.values() ?? [])];
  const program = {
    application,
    strategies: strategies.map(({ name }) => name),
    scopedStrategies: strategies.filter(({ hasScopes }) => hasScopes).map(({ name }) => name),
  };
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => (metatype === null ? [] : handlersOf(metatype)))
    .flatMap((handler) => describeRoute(handler, program))
    .toSorted((one, other) => compare(one.path, other.path) || compare(one.method, other.method));
}

function handlersOf(controller: Function): DeclaredHandler[] {
  const prototype: Record<string, Handler> = controller.prototype;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const method: RequestMethod | undefined = Reflect.getMetadata(METHOD_METADATA, handler);
    if (method === undefined) return [];
    return [
      {
        controller,
        name,
        handler,
        method: RequestMethod[method],
        paths: pathsOf(controller, handler),
        status: Reflect.getMetadata(HTTP_CODE_METADATA, handler),
        mediaType: declaredMediaType(handler),
        upload: uploadRuleOf(handler),
        isIdempotent: isIdempotent(handler),
        hasEntityTag: entityTagRuleOf(handler) !== undefined,
        ifMatch: ifMatchOf(handler),
      },
    ];
  });
}

function ifMatchOf(handler: Handler): RouteDescription['ifMatch'] {
  const rule = ifMatchRuleOf(handler);
  return rule && (rule.isRequired ? 'required' : 'optional');
}

function declaredMediaType(handler: Handler): string | undefined {
  const headers: readonly { name: string; value: unknown }[] =
    Reflect.getMetadata(HEADERS_METADATA, handler) ?? [];
  const declared = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return typeof declared === 'string' ? declared : undefined;
}

function pathsOf(controller: Function, handler: Handler): string[] {
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
