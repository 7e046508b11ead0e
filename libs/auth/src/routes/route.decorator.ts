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

/** Options of {@link Public}. */
export interface PublicOptions {
  /**
   * The route's strategies find the caller if the request has credentials; further requests have no caller. Invalid, expired or
   * revoked credentials get 401, as on all routes, so that a client refreshes them instead of showing the visitor's view. A
   * caller who is restricted to scopes needs the route's scopes.
   */
  readonly caller: 'optional';
}

/**
 * Marks a handler, or every handler of a class, as public, so that anybody may call it. A handler's decorator overrides its
 * class's.
 *
 * @param access `false` protects a handler in a public class; `{ caller: 'optional' }` makes {@link Caller} return the signed-in
 *   caller
 */
export const Public = (access: boolean | PublicOptions = true): ClassDecorator & MethodDecorator =>
  SetMetadata(PUBLIC_KEY, callerRuleOf(access));

function callerRuleOf(access: boolean | PublicOptions): CallerRule {
  if (typeof access === 'object') return access.caller;
  return access ? 'none' : 'required';
}

/**
 * Names the route's strategies, which replace the default strategy. They run in order: the first strategy that finds a caller
 * decides, and an error that a strategy throws is the response. A handler's list replaces its class's.
 *
 * @param first the name of a registered strategy; the start fails with `UnknownStrategyError` for an unknown name
 */
export const UseStrategy = (first: string, ...others: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(STRATEGY_KEY, [first, ...others]);

/** Requires a caller with any of the given roles as its `role`; other callers get 403. A handler's list replaces its class's. */
export const Roles = (first: string, ...others: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(ROLES_KEY, [first, ...others]);

/**
 * Requires all the given scopes from a caller who is restricted to scopes, such as an API key; further restricted callers get
 * 403. A caller that has no `scopes` is unrestricted. A route that lacks this decorator needs `read` for GET and HEAD, and
 * `write` for further methods. A handler's list replaces its class's.
 *
 * @param needed such as `items:read`, which the scope `read` includes; an empty list admits every restricted caller
 */
export const Scopes = (...needed: string[]): ClassDecorator & MethodDecorator =>
  SetMetadata(SCOPES_KEY, needed);

/** Accepts a caller who must change the password, which other routes refuse with 403. Use it for that change and sign-out. */
export const BeforePasswordChange = (): MethodDecorator => SetMetadata(BEFORE_PASSWORD_CHANGE_KEY, true);

/** Injects the caller that a strategy found; `undefined` on a public route, unless a caller is optional there and was found. */
export const Caller = createParamDecorator(callerOf);

function callerOf(_: unknown, context: ExecutionContext): unknown {
  return requestOf(context)?.user;
}

/** Returns whether a parameter decorator's factory belongs to {@link Caller}. */
export function isCallerFactory(factory: unknown): boolean {
  return factory === callerOf;
}

/**
 * Returns whether a handler has a {@link Caller} parameter. If it has, its response can be restricted to the caller's own data.
 *
 * @param handler the method's name
 */
export function takesCaller(controller: Function, handler: string): boolean {
  const parameters: Record<string, { readonly factory?: unknown }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
  return Object.values(parameters).some(({ factory }) => factory === callerOf);
}
