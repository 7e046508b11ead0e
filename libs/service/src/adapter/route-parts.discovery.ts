import { AuthGuard } from '@app/auth';
import { ValidationPipe } from '@app/engine';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  SSE_METADATA,
} from '@nestjs/common/internal';
import { VersioningType } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { hasOtherInterceptors } from '../routes/handler.interceptor';
import { ErrorFilter } from '../errors/error.filter';

/** The global parts of a program, if all of them are ours. */
export interface KnownParts {
  readonly guard: AuthGuard | undefined;
  readonly pipe: ValidationPipe;
  readonly filter: ErrorFilter;
}

/**
 * Reads the global guards, pipes, interceptors and filters.
 *
 * @returns `undefined` when one of them is not ours, or ours is missing
 */
export function knownParts(config: ApplicationConfig): KnownParts | undefined {
  const others = [
    ...config.getGlobalInterceptors(),
    ...config.getGlobalRequestInterceptors(),
    ...config.getGlobalRequestGuards(),
    ...config.getGlobalRequestPipes(),
    ...config.getGlobalRequestFilters(),
    ...config.getGlobalPreRequestHooks(),
  ];
  const [guard, ...moreGuards] = config.getGlobalGuards();
  const [pipe, ...morePipes] = config.getGlobalPipes();
  const [filter, ...moreFilters] = config.getGlobalFilters();
  if ([...others, ...moreGuards, ...morePipes, ...moreFilters].length > 0 || isVersionedByRequest(config))
    return undefined;
  if (!(guard === undefined || isExactly(AuthGuard, guard))) return undefined;
  return isExactly(ValidationPipe, pipe) && isExactly(ErrorFilter, filter)
    ? { guard, pipe, filter }
    : undefined;
}

/** A version in the path is part of the path; others are read from each request. */
function isVersionedByRequest(config: ApplicationConfig): boolean {
  const versioning = config.getVersioning();
  return versioning !== undefined && versioning.type !== VersioningType.URI;
}

/** A subclass may behave differently, so it does not count. */
function isExactly<Part extends object>(type: new (...args: never[]) => Part, part: unknown): part is Part {
  return typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === type.prototype;
}

/** Metadata of features on a handler or its class that only Nest implements, besides interceptors. */
const others = [
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  SSE_METADATA,
];

/** Whether a handler or its class uses a feature that only Nest implements. */
export function hasOwnParts(handler: object, controller: object): boolean {
  return (
    hasOtherInterceptors(handler) ||
    isSet(INTERCEPTORS_METADATA, controller) ||
    others.some((key) => Reflect.hasMetadata(key, handler) || isSet(key, controller))
  );
}

/** `@Controller()` always sets a host and a version, usually `undefined`. */
function isSet(key: string, controller: object): boolean {
  return Reflect.getMetadata(key, controller) !== undefined;
}
