import { AuthGuard } from '@app/auth';
import { ValidationPipe } from '@app/validation';
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
  VERSION_METADATA,
} from '@nestjs/common/internal';
import type { ApplicationConfig } from '@nestjs/core';
import { ErrorFilter } from '../ingress/error.filter';

/** The parts that stand before and behind every handler of a program, when all of them are our own. */
export interface KnownParts {
  readonly guard: AuthGuard | undefined;
  readonly pipe: ValidationPipe;
  readonly filter: ErrorFilter;
}

/**
 * Looks at what Nest would put around every handler.
 *
 * @returns the parts, or `undefined` when one of them is not known to be ours, or is none at all
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
  if ([...others, ...moreGuards, ...morePipes, ...moreFilters].length > 0 || config.getVersioning())
    return undefined;
  if (!(guard === undefined || isExactly(AuthGuard, guard))) return undefined;
  return isExactly(ValidationPipe, pipe) && isExactly(ErrorFilter, filter)
    ? { guard, pipe, filter }
    : undefined;
}

/** A heir may do anything; what it inherits is not asked. */
function isExactly<Part extends object>(type: new (...args: never[]) => Part, part: unknown): part is Part {
  return typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === type.prototype;
}

/** What somebody else's code hangs on a handler or its class, and Nest alone knows how to do. */
const others = [
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
];

/** Whether a handler or its class asks for something of its own around it. */
export function asksForMore(handler: object, controller: object): boolean {
  return others.some((key) => Reflect.hasMetadata(key, handler) || asked(key, controller));
}

/** `@Controller()` always writes down a host and a version, and mostly none. */
function asked(key: string, controller: object): boolean {
  return Reflect.getMetadata(key, controller) !== undefined;
}
