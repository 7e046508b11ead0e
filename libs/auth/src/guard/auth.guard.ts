import { isObject, isThenable } from '@app/engine';
import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  Logger,
} from '@nestjs/common';
import {
  ForbiddenError,
  InsufficientScopeError,
  PasswordChangeRequiredError,
  UnauthenticatedError,
} from '../errors';
import type { GuardedCaller } from '../facets/facet';
import { isGranted } from '../routes/scopes';
import { credentialsTest } from '../strategies/credentials';
import type { AuthRequest, Strategy } from '../strategies/strategy';
import { AUTH_OPTIONS, type ResolvedAuthOptions } from '../auth-options';
import { type RouteAccess, routeAccess } from '../routes/route-access.discovery';
import { type GuardedRequest, isMessage, requestOf } from '../routes/request-of';
import { viewOf } from './guarded-request';
import type { Decorated } from '../routes/route-rules.discovery';

/** Authorizes a request or throws; returns a promise only if a strategy does. */
export type RequestCheck = (request: GuardedRequest) => true | Promise<true>;

/**
 * Guards every route except public routes. It responds with 401 unless a strategy finds a caller. It responds with 403 unless
 * the caller has a required role, has the route's scopes if it is restricted to scopes, and meets the route's facets. A caller
 * who must change the password gets 403 from every route except the routes that serve the change. Where a caller is optional,
 * the guard also accepts requests that carry no credentials.
 *
 * The guard is synchronous when the strategies are. It reads each route's decorators once.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly cache = new Map<Decorated, Map<Decorated, RouteAccess>>();
  private readonly logger = new Logger('AuthGuard');

  constructor(@Inject(AUTH_OPTIONS) private readonly options: ResolvedAuthOptions) {}

  /** @throws UnauthenticatedError, ForbiddenError, or an error that `checkErrors` returned */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const access = this.accessOf(context.getHandler(), context.getClass());
    if (access.caller === 'none') return true;
    const request = requestOf(context);
    if (request === undefined) throw new UnauthenticatedError();
    if (isMessage(context)) return this.authorizeMessage(access, request);
    return this.check(access, request);
  }

  /**
   * Returns the check for a route, resolved before the first request.
   *
   * @returns `undefined` for a public route without a caller
   * @throws the `routeAccess` errors
   */
  checkOf(handler: Decorated, controller: Decorated): RequestCheck | undefined {
    const access = this.accessOf(handler, controller);
    return access.caller === 'none' ? undefined : (request) => this.check(access, request);
  }

  private check(access: RouteAccess, request: GuardedRequest): true | Promise<true> {
    const caller = this.find(access.strategies, viewOf(request));
    if (isThenable(caller)) return this.authorizeLater(caller, access, request);
    return isCaller(caller) ? this.authorize(caller, access, request) : admitVisitor(access, request);
  }

  private async authorizeLater(
    caller: PromiseLike<unknown>,
    access: RouteAccess,
    request: GuardedRequest,
  ): Promise<true> {
    const resolved = await caller;
    return isCaller(resolved) ? this.authorize(resolved, access, request) : admitVisitor(access, request);
  }

  /**
   * Authorizes a message by the caller of its connection, which is the client's `user`.
   *
   * @throws UnauthenticatedError, ForbiddenError, InsufficientScopeError, or a facet's error
   */
  private authorizeMessage(access: RouteAccess, client: { user?: unknown }): true | Promise<true> {
    if (isCaller(client.user)) return this.authorize(client.user, access, client);
    if (client.user === undefined && access.caller === 'optional') return true;
    throw new UnauthenticatedError();
  }

  private authorize(caller: GuardedCaller, access: RouteAccess, request: Authorized): true | Promise<true> {
    if (access.gates.length > 0) return this.passGates(caller, access, request);
    try {
      checkPermitted(caller, access);
    } catch (error) {
      this.refuse(caller, error, access, request);
    }
    request.user = caller;
    return true;
  }

  /** Passes the gates before every other requirement, so that a 404 hides what the caller may not see. */
  private async passGates(caller: GuardedCaller, access: RouteAccess, request: Authorized): Promise<true> {
    let admitted = caller;
    try {
      for (const admit of access.gates) admitted = await admit(admitted, request);
    } catch (error) {
      this.refuse(caller, error, access, request);
    }
    return this.authorize(admitted, { ...access, gates: [] }, request);
  }

  private refuse(caller: GuardedCaller, error: unknown, { route }: RouteAccess, { ip }: Authorized): never {
    this.options.onRefused?.({ caller, error, route, ip });
    throw error;
  }

  /** Returns the first caller that a strategy finds. It returns a promise as soon as a strategy does. */
  private find(strategies: readonly Strategy[], request: AuthRequest): unknown {
    for (let at = 0; at < strategies.length; at++) {
      const caller = this.authenticate(strategies[at], request);
      if (isThenable(caller)) return this.findLater(caller, strategies.slice(at), request);
      if (isCaller(caller)) return caller;
    }
    return undefined;
  }

  private async findLater(
    pending: PromiseLike<unknown>,
    [strategy, ...others]: readonly Strategy[],
    request: AuthRequest,
  ): Promise<unknown> {
    let caller: unknown;
    try {
      caller = await pending;
    } catch (error) {
      this.reject(error, strategy);
    }
    return isCaller(caller) ? caller : this.find(others, request);
  }

  private authenticate(strategy: Strategy, request: AuthRequest): unknown {
    try {
      return strategy.authenticate(request);
    } catch (error) {
      return this.reject(error, strategy);
    }
  }

  private reject(error: unknown, { name }: Strategy): never {
    for (const rule of this.options.checkErrors ?? []) {
      const mapped = rule(error);
      if (mapped) throw mapped;
    }
    if (!isUnauthorized(error)) this.report(error, name);
    throw new UnauthenticatedError({ cause: error });
  }

  private report(error: unknown, strategy: string): void {
    if (this.options.onCheckError) this.options.onCheckError(error, strategy);
    else this.logger.error(`authentication strategy '${strategy}' failed`, error);
  }

  /** Caches the rules by class and handler, because two controllers may inherit a handler and have different decorators. */
  private accessOf(handler: Decorated, controller: Decorated): RouteAccess {
    const cached = this.cache.get(controller)?.get(handler);
    return cached ?? this.resolve(handler, controller);
  }

  private resolve(handler: Decorated, controller: Decorated): RouteAccess {
    const ofController = this.cache.get(controller) ?? new Map<Decorated, RouteAccess>();
    const access = routeAccess(handler, controller, this.options);
    this.cache.set(controller, ofController.set(handler, access));
    return access;
  }
}

/** The parts of a request or a connection's client that authorization reads and writes. */
type Authorized = Pick<GuardedRequest, 'params' | 'user'> & { readonly ip?: string };

/** @throws PasswordChangeRequiredError, ForbiddenError, InsufficientScopeError, or the error of a facet */
function checkPermitted(caller: GuardedCaller, access: RouteAccess): void {
  const { role, scopes, mustChangePassword } = caller;
  if (mustChangePassword === true && !access.isBeforePasswordChange) throw new PasswordChangeRequiredError();
  const { roles, facets } = access;
  if (roles && !(typeof role === 'string' && roles.includes(role))) {
    throw new ForbiddenError(`only a caller with the role ${roles.join(' or ')} may do this`);
  }
  if (scopes !== undefined) checkScopes(scopes, access);
  for (const { check } of facets) check(caller);
}

/** @throws UnauthenticatedError unless a caller is optional, and no credentials were sent */
function admitVisitor({ caller, strategies }: RouteAccess, request: GuardedRequest): true {
  const sent = viewOf(request);
  if (caller !== 'optional' || strategies.some((strategy) => credentialsTest(strategy)?.(sent)))
    throw new UnauthenticatedError();
  return true;
}

/** @throws InsufficientScopeError */
function checkScopes(granted: readonly string[], { scopes }: RouteAccess): void {
  const missing = scopes.filter((scope) => !isGranted(granted, scope));
  if (missing.length > 0) throw new InsufficientScopeError(missing);
}

/** Returns whether a check has found a caller, which is an object rather than `true` or a string. */
function isCaller(value: unknown): value is GuardedCaller {
  return isObject(value);
}

/** A check that throws a 401 has not failed. */
function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof UnauthenticatedError || (error instanceof HttpException && error.getStatus() === 401)
  );
}
