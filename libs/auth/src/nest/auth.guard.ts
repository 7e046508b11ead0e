import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  Logger,
} from '@nestjs/common';
import { ForbiddenError, RefusedError, UnauthenticatedError } from '../errors';
import type { AuthRequest } from '../strategies/strategy';
import { AUTH_REGISTER, type AuthRegister } from './auth-options';
import { type Demand, demandOf } from './demand';
import { type GuardedRequest, viewOf } from './guarded-request';
import type { Decorated } from './route-rules';

/**
 * Stands before every route that is not public: 401 unless a strategy knows the caller, 403 unless the caller has
 * a role the route asks for.
 *
 * Makes no promise when the strategy makes none, and reads a route's decorators once.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly demands = new Map<Decorated, Map<Decorated, Demand>>();
  private readonly logger = new Logger('AuthGuard');

  constructor(@Inject(AUTH_REGISTER) private readonly register: AuthRegister) {}

  /** @throws UnauthenticatedError, ForbiddenError, or RefusedError when a refusal said what to answer */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const demand = this.demandOf(context.getHandler(), context.getClass());
    if (demand.isPublic) return true;
    const request = context.getArgByIndex<GuardedRequest>(0);
    const caller = this.authenticate(demand, viewOf(request));
    return isPromise(caller) ? this.admitLater(caller, demand, request) : admit(caller, demand, request);
  }

  private authenticate(demand: Demand, request: AuthRequest): unknown {
    try {
      return demand.strategy.authenticate(request);
    } catch (error) {
      return this.refuse(error, demand);
    }
  }

  private async admitLater(
    caller: PromiseLike<unknown>,
    demand: Demand,
    request: GuardedRequest,
  ): Promise<true> {
    let found: unknown;
    try {
      found = await caller;
    } catch (error) {
      this.refuse(error, demand);
    }
    return admit(found, demand, request);
  }

  private refuse(error: unknown, { strategy }: Demand): never {
    for (const refusal of this.register.refusals ?? []) {
      const answer = refusal(error);
      if (answer) throw new RefusedError(answer, { cause: error });
    }
    if (!isUnauthorized(error)) this.report(error, strategy.name);
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
    const demand = demandOf(handler, controller, this.register.strategies);
    this.demands.set(controller, ofController.set(handler, demand));
    return demand;
  }
}

/** A check that answers `true` or a name has told us nobody: a caller is an object. */
function admit(caller: unknown, { roles }: Demand, request: GuardedRequest): true {
  if (typeof caller !== 'object' || caller === null) throw new UnauthenticatedError();
  const { role } = caller as { readonly role?: unknown };
  if (roles && !(typeof role === 'string' && roles.includes(role))) {
    throw new ForbiddenError(`only a caller with the role ${roles.join(' or ')} may do this`);
  }
  request.user = caller;
  return true;
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
