import { isPublic } from '@app/auth';
import { type INestApplication, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A route of a program. */
export interface Route {
  /** Such as `GET`. */
  readonly method: string;
  /** With its parameters named, such as `/users/:id`. */
  readonly path: string;
  /** Whether it answers everybody. */
  readonly isPublic: boolean;
}

type Handler = (...given: never[]) => unknown;

/** Lists the routes of a program, by path. */
export function listRoutes(app: INestApplication): readonly Route[] {
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => (metatype === null ? [] : routesOf(metatype)))
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en'));
}

function routesOf(controller: Function): Route[] {
  const prototype: Record<string, Handler> = controller.prototype;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const method: RequestMethod | undefined = Reflect.getMetadata(METHOD_METADATA, handler);
    if (method === undefined) return [];
    const toRoute = (path: string) => ({
      method: RequestMethod[method],
      path,
      isPublic: isPublic(handler, controller),
    });
    return pathsOf(controller).flatMap((base) => pathsOf(handler).map((path) => toRoute(joined(base, path))));
  });
}

function pathsOf(decorated: object): string[] {
  const paths: string | string[] | undefined = Reflect.getMetadata(PATH_METADATA, decorated);
  return [paths ?? ''].flat();
}

function joined(base: string, path: string): string {
  return `/${`${base}/${path}`.split('/').filter(Boolean).join('/')}`;
}
