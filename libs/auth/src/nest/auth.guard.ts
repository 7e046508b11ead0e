import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  Logger,
} from '@nestjs/common';
import { ForbiddenError, UnauthenticatedError } from '../errors';
import type { AuthRequest, Strategy } from '../strategies/strategy';
import { AUTH_REGISTER, type AuthRegister } from './auth-options';
import { type Demand, demandOf } from './demand';
import { type GuardedRequest, viewOf } from './guarded-request';
import type { Decorated } from './route-rules';

/** Lets a request in or throws, at once or, where a strategy has to wait, as a promise. */
export type RequestCheck = (request: GuardedRequest) => true | Promise<true>;

/**
 * Stands before every route that is not public: 401 unless one of its strategies knows the caller, 403 unless the caller has
 * a role the route asks for.
 *
 * Makes no promise when its strategies make none, and reads a route's decorators once.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly demands = new Map<Decorated, Map<Decorated, Demand>>();
  private readonly logger = new Logger('AuthGuard');

  constructor(@Inject(AUTH_REGISTER) private readonly register: AuthRegister) {}

  /** @throws UnauthenticatedError, ForbiddenError, or CallerRejectedError when a refusal said what to answer */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const demand = this.demandOf(context.getHandler(), context.getClass());
    return demand.isPublic || this.check(demand, context.getArgByIndex<GuardedRequest>(0));
  }

  /**
   * What {@link canActivate} does on one route, for who knows the route before the request.
   *
   * @returns the check, or `undefined` for a route that is public
   * @throws UnknownStrategyError, ContradictoryRouteError
   */
  checkOf(handler: Decorated, controller: Decorated): RequestCheck | undefined {
    const demand = this.demandOf(handler, controller);
    return demand.isPublic ? undefined : (request) => this.check(demand, request);
  }

  private check(demand: Demand, request: GuardedRequest): true | Promise<true> {
    const caller = this.find(demand.strategies, viewOf(request));
    return isPromise(caller) ? authorizeLater(caller, demand, request) : authorize(caller, demand, request);
  }

  /** The caller that the first strategy finds, or a promise of one as soon as a strategy makes a promise. */
  private find(strategies: readonly Strategy[], request: AuthRequest): unknown {
    for (let at = 0; at < strategies.length; at++) {
      const caller = this.ask(strategies[at], request);
      if (isPromise(caller)) return this.findLater(caller, strategies.slice(at), request);
      if (isCaller(caller)) return caller;
    }
    return undefined;
  }

  private async findLater(
    asked: PromiseLike<unknown>,
    [strategy, ...others]: readonly Strategy[],
    request: AuthRequest,
  ): Promise<unknown> {
    let caller: unknown;
    try {
      caller = await asked;
    } catch (error) {
      this.reject(error, strategy);
    }
    return isCaller(caller) ? caller : this.find(others, request);
  }

  private ask(strategy: Strategy, request: AuthRequest): unknown {
    try {
      return strategy.authenticate(request);
    } catch (error) {
      return this.reject(error, strategy);
    }
  }

  private reject(error: unknown, { name }: Strategy): never {
    for (const errorFor of this.register.checkErrors ?? []) {
      const replied = errorFor(error);
      if (replied) throw replied;
    }
    if (!isUnauthorized(error)) this.report(error, name);
    throw new UnauthenticatedError({ cause: error });
  }

  private report(error: unknown, strategy: string): void {
    if (this.register.onCheckError) this.register.onCheckError(error, strategy);
    else this.logger.error(`The check of the strategy '${strategy}' failed`, error);
  }

  /** Remembered by class as well: two controllers may inherit one handler and differ in their own decorators. */
  private demandOf(handler: Decorated, controller: Decorated): Demand {
    const known = this.demands.get(controller)?.get(handler);
    return known ?? this.remember(handler, controller);
  }

  private remember(handler: Decorated, controller: Decorated): Demand {
    const ofController = this.demands.get(controller) ?? new Map<Decorated, Demand>();
    const demand = demandOf(handler, controller, this.register);
    this.demands.set(controller, ofController.set(handler, demand));
    return demand;
  }
}

async function authorizeLater(
  caller: PromiseLike<unknown>,
  demand: Demand,
  request: GuardedRequest,
): Promise<true> {
  return authorize(await caller, demand, request);
}

/** @throws UnauthenticatedError, ForbiddenError */
function authorize(caller: unknown, { roles }: Demand, request: GuardedRequest): true {
  if (!isCaller(caller)) throw new UnauthenticatedError();
  const { role } = caller as { readonly role?: unknown };
  if (roles && !(typeof role === 'string' && roles.includes(role))) {
    throw new ForbiddenError(`only a caller with the role ${roles.join(' or ')} may do this`);
  }
  request.user = caller;
  return true;
}

/** A check that answers `true` or a name has told us nobody: a caller is an object. */
function isCaller(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Any thenable: one that is no native promise must not be taken for the caller. */
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** A check that says 401 in as many words is no fault to be told of. */
function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof UnauthenticatedError || (error instanceof HttpException && error.getStatus() === 401)
  );
}
