import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { requestOf } from './request-of';
import {
  BEFORE_PASSWORD_CHANGE_KEY,
  type CallerRule,
  PUBLIC_KEY,
  ROLES_KEY,
  SCOPES_KEY,
  STRATEGY_KEY,
} from './route-rules.discovery';

/** Whether a public route knows who calls it. */
export interface PublicOptions {
  /**
   * The strategies of the route find the caller of a request with credentials, and other requests have none. Credentials that
   * are invalid, expired or revoked are a 401, as on other routes: a client refreshes them, in place of showing what a visitor
   * sees. A caller who is restricted to scopes needs those of the route.
   */
  readonly caller: 'optional';
}

/**
 * Marks a handler, or every handler of a class, as public: anybody may call it. A handler's decorator overrides its class's.
 *
 * @param access `false` protects one handler of a public class; `{ caller: 'optional' }` has {@link Caller} tell who signed in
 */
export const Public = (access: boolean | PublicOptions = true): ClassDecorator & MethodDecorator =>
  SetMetadata(PUBLIC_KEY, callerRuleOf(access));

function callerRuleOf(access: boolean | PublicOptions): CallerRule {
  if (typeof access === 'object') return access.caller;
  return access ? 'none' : 'required';
}

/**
 * Names the strategies of a route, in place of the default one. They run in order: the first that finds a caller
 * decides, and an error thrown by one is the response. A handler's list replaces its class's.
 *
 * @param first name of a registered strategy; otherwise the start fails with `UnknownStrategyError`
 */
export const UseStrategy = (first: string, ...others: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(STRATEGY_KEY, [first, ...others]);

/** Requires that `role` of the caller is one of these; others get 403. A handler's list replaces its class's. */
export const Roles = (first: string, ...others: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(ROLES_KEY, [first, ...others]);

/**
 * Requires that a caller who is restricted to scopes, such as an API key, has all of these; others get 403. A caller without
 * `scopes` is not restricted. A route without this decorator needs `read` if its method is GET or HEAD, and `write` otherwise. A
 * handler's list replaces its class's.
 *
 * @param needed such as `items:read`, which the scope `read` includes; none, and every restricted caller may call
 */
export const Scopes = (...needed: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(SCOPES_KEY, needed);

/**
 * Accepts a caller who must change the password, which other routes refuse with a 403: for what is needed to change it, and to
 * sign out.
 */
export const BeforePasswordChange = (): MethodDecorator => SetMetadata(BEFORE_PASSWORD_CHANGE_KEY, true);

/** Injects the caller that a strategy found; `undefined` on a public route, unless a caller is optional there and was found. */
export const Caller = createParamDecorator(callerOf);

function callerOf(_: unknown, context: ExecutionContext): unknown {
  return requestOf(context)?.user;
}

/** Whether a parameter decorator's factory is that of {@link Caller}. */
export function isCallerFactory(factory: unknown): boolean {
  return factory === callerOf;
}

/**
 * Whether a handler has a {@link Caller} parameter: its response can then be restricted to the caller's own data.
 *
 * @param handler the name of the method
 */
export function takesCaller(controller: Function, handler: string): boolean {
  const parameters: Record<string, { readonly factory?: unknown }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
  return Object.values(parameters).some(({ factory }) => factory === callerOf);
}
