import { VERSION_NEUTRAL, type VersioningOptions, VersioningType } from '@nestjs/common';
import { PATH_METADATA, VERSION_METADATA } from '@nestjs/common/internal';

type Version = Exclude<VersioningOptions['defaultVersion'], undefined>;

/**
 * Returns a handler's paths. They include the version if the application puts versions in paths, such as `/v1/posts`.
 *
 * @param versioning the application's versioning; only URI versions become path segments
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

/** Returns a handler's versions if a header, a media type or a function selects the version; otherwise `undefined`. */
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

/** Returns the versions that Nest would choose: the handler's, its class's, or the default version. */
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
