import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { PUBLIC_KEY, ROLES_KEY, STRATEGY_KEY } from './route-rules';

/**
 * Opens a handler, or every handler of a class, to everybody. The handler's word is over the class's, both ways.
 *
 * @param isOpen `false` closes one handler of a public class
 */
export const Public = (isOpen = true): ClassDecorator & MethodDecorator => SetMetadata(PUBLIC_KEY, isOpen);

/**
 * Names the strategies that tell who calls, where it is not the default one alone. They are tried in order: the first
 * that finds a caller decides, and what one throws ends the request. A handler's list replaces its class's.
 *
 * @param first of a registered strategy, like the others; the start ends with `UnknownStrategyError` if one is not
 */
export const UseStrategy = (first: string, ...others: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(STRATEGY_KEY, [first, ...others]);

/** Lets in callers whose `role` is one of these, and answers 403 to others. A handler's list replaces its class's. */
export const Roles = (first: string, ...others: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(ROLES_KEY, [first, ...others]);

/** Hands a handler the caller that the strategy found. On a public route there is none: `undefined`. */
export const Caller = createParamDecorator(callerOf);

function callerOf(_: unknown, context: ExecutionContext): unknown {
  return context.getArgByIndex<{ user?: unknown }>(0).user;
}

/** Whether the factory of a parameter decorator is that of {@link Caller}. */
export function handsOutCaller(factory: unknown): boolean {
  return factory === callerOf;
}

/**
 * Whether a handler is handed its caller by {@link Caller}: what it answers can then be the caller's own.
 *
 * @param handler the name of the method
 */
export function takesCaller(controller: Function, handler: string): boolean {
  const taken: Record<string, { readonly factory?: unknown }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
  return Object.values(taken).some(({ factory }) => factory === callerOf);
}
