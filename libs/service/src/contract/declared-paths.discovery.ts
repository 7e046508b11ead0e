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

/** As Nest chooses: the version of the handler, of its class, or the usual one. */
function versionsInPath(
  controller: Function,
  handler: object,
  versioning: VersioningOptions | undefined,
): string[] {
  if (versioning?.type !== VersioningType.URI) return [''];
  const { defaultVersion, prefix = 'v' } = versioning;
  const version: Version | undefined =
    Reflect.getMetadata(VERSION_METADATA, handler) ??
    Reflect.getMetadata(VERSION_METADATA, controller) ??
    defaultVersion;
  return [version ?? VERSION_NEUTRAL]
    .flat()
    .map((one) => (one === VERSION_NEUTRAL ? '' : `${prefix || ''}${String(one)}`));
}

function normal(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`;
}
