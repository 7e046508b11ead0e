import { findAuthOptions } from '@app/auth';
import { InputPipe, type RouteDescription } from '@app/contract';
import { type INestApplicationContext, RequestMethod, type VersioningOptions } from '@nestjs/common';
import { HEADERS_METADATA, HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { declaredPaths, versionsOfRequests } from './declared-paths.discovery';
import { type DeclaredHandler, describeRoute, type ProgramContext } from './describe-route';
import { deprecationOf } from '../deprecation/deprecated.decorator';
import { signatureSchemeOf } from '../signatures/signed-by.decorator';
import { isIdempotent } from '../idempotency/idempotent.decorator';
import { ifMatchRuleOf } from '../conditions/if-match.decorator';
import { entityTagRuleOf } from '../conditions/entity-tag.decorator';
import { PROGRAM_IDENTITY, type ProgramIdentity } from '../identity/about.service';
import { uploadRuleOf } from '../routes/file-routes';

type Handler = DeclaredHandler['handler'];

/**
 * Describes every route of a program by its decorators, ordered by path and then by method. A handler with several paths is
 * described once for each path. Paths include the version if the application puts versions in paths.
 *
 * The function uses Nest's public discovery, so it works as soon as the program is created, before `init`.
 */
export function describeRoutes(app: INestApplicationContext): readonly RouteDescription[] {
  const program = programContext(app);
  const versioning = app.get(ApplicationConfig, { strict: false }).getVersioning();
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => (metatype === null ? [] : handlersOf(metatype, versioning)))
    .flatMap((handler) => describeRoute(handler, program))
    .toSorted((left, right) => compare(left.path, right.path) || compare(left.method, right.method));
}

/** Returns the facts that all routes of a program share. */
export function programContext(app: INestApplicationContext): ProgramContext {
  const { application } = app.get<ProgramIdentity>(PROGRAM_IDENTITY, { strict: false });
  const strategies = [...(findAuthOptions(app)?.strategies.values() ?? [])];
  return {
    application,
    strategies: strategies.map(({ name }) => name),
    scopedStrategies: strategies.filter(({ hasScopes }) => hasScopes).map(({ name }) => name),
    stripsUnknown: app
      .get(ApplicationConfig, { strict: false })
      .getGlobalPipes()
      .some((pipe) => pipe instanceof InputPipe && pipe.unknownMembers === 'strip'),
  };
}

function handlersOf(controller: Function, versioning: VersioningOptions | undefined): DeclaredHandler[] {
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
        paths: declaredPaths(controller, handler, versioning),
        versions: versionsOfRequests(controller, handler, versioning),
        status: Reflect.getMetadata(HTTP_CODE_METADATA, handler),
        mediaType: declaredMediaType(handler),
        upload: uploadRuleOf(handler),
        isIdempotent: isIdempotent(handler),
        hasEntityTag: entityTagRuleOf(handler) !== undefined,
        ifMatch: ifMatchOf(handler),
        deprecation: deprecationOf(handler),
        signature: signatureOf(handler),
      },
    ];
  });
}

function ifMatchOf(handler: Handler): RouteDescription['ifMatch'] {
  const rule = ifMatchRuleOf(handler);
  return rule && (rule.isRequired ? 'required' : 'optional');
}

function signatureOf(handler: Handler): RouteDescription['signature'] {
  const { scheme, header } = signatureSchemeOf(handler) ?? {};
  return scheme === undefined || header === undefined ? undefined : { scheme, header };
}

function declaredMediaType(handler: Handler): string | undefined {
  const headers: readonly { name: string; value: unknown }[] =
    Reflect.getMetadata(HEADERS_METADATA, handler) ?? [];
  const declared = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return typeof declared === 'string' ? declared : undefined;
}

function compare(left: string, right: string): number {
  return left.localeCompare(right, 'en');
}
