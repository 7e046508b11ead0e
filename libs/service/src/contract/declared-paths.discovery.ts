import { VERSION_NEUTRAL, type VersioningOptions, VersioningType } from '@nestjs/common';
import { PATH_METADATA, VERSION_METADATA } from '@nestjs/common/internal';

type Version = Exclude<VersioningOptions['defaultVersion'], undefined>;

/**
 * The paths of a handler, with the version where versions are part of paths: `/v1/posts`.
 *
 * @param versioning that of the application; versions of other kinds are not in paths
 */
export function declaredPaths(
  controller: Function,
  handler: object,
  versioning: VersioningOptions | undefined,
): string[] {
  const own = namedPaths(controller).flatMap((base) => namedPaths(handler).map((path) => `${base}/${path}`));
  return versionsInPath(controller, handler, versioning).flatMap((version) =>
    own.map((path) => normal(`${version}/${path}`)),
  );
}

function namedPaths(decorated: object): string[] {
  const paths: string | string[] | undefined = Reflect.getMetadata(PATH_METADATA, decorated);
  return [paths ?? ''].flat();
}

function versionsInPath(
  controller: Function,
  handler: object,
  versioning: VersioningOptions | undefined,
): string[] {
  if (versioning?.type !== VersioningType.URI) return [''];
  const { prefix = 'v' } = versioning;
  return versionsOf(controller, handler, versioning).map((version) =>
    version === VERSION_NEUTRAL ? '' : `${prefix || ''}${String(version)}`,
  );
}

/** The versions that a handler serves, if a header, a media type or a function of the application decides; otherwise `undefined`. */
export function versionsOfRequests(
  controller: Function,
  handler: object,
  versioning: VersioningOptions | undefined,
): readonly string[] | undefined {
  if (versioning === undefined || versioning.type === VersioningType.URI) return undefined;
  return versionsOf(controller, handler, versioning).map((version) =>
    version === VERSION_NEUTRAL ? 'neutral' : String(version),
  );
}

/** As Nest chooses: the versions of the handler, of its class, or the usual version. */
function versionsOf(controller: Function, handler: object, { defaultVersion }: VersioningOptions) {
  const version: Version | undefined =
    Reflect.getMetadata(VERSION_METADATA, handler) ??
    Reflect.getMetadata(VERSION_METADATA, controller) ??
    defaultVersion;
  return [version ?? VERSION_NEUTRAL].flat();
}

function normal(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`;
}
