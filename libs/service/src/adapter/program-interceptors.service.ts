import type { Database } from '@app/persistence';
import type { IdempotentRequests } from '../idempotency/idempotent-requests';
import type { Interceptor } from '../routes/compile-route';
import { ifMatchRuleOf } from '../conditions/if-match.decorator';
import { type ConditionContext, conditionOf, isolationOf } from '../conditions/condition.discovery';
import { isIdempotent } from '../idempotency/idempotent.decorator';
import { verifiedEventId } from '../signatures/signature';
import { signatureSchemeOf } from '../signatures/signed-by.decorator';
import { RouteInterceptors } from '../routes/handler.interceptor';
import type { ControllerMethod } from '../routes/controller-methods.discovery';

/** The parts of a program that exist once its controllers are created. */
export interface InterceptedProgram {
  readonly adapter: object;
  readonly contexts: ConditionContext['contexts'];
  readonly methods: ReadonlyMap<string, ControllerMethod>;
}

/** The interceptors of a program's handlers: signed events, retries and preconditions. */
export class ProgramInterceptors extends RouteInterceptors {
  private readonly cache = new Map<string, Interceptor | undefined>();
  private context: InterceptedProgram | undefined;

  constructor(
    private readonly db: Database | undefined,
    private readonly requests: IdempotentRequests | undefined,
  ) {
    super();
  }

  /** Sets the program that the interceptors belong to. Call it before `init`. */
  prepare(context: InterceptedProgram): void {
    this.context = context;
  }

  override of(key: string): Interceptor | undefined {
    if (!this.cache.has(key)) this.cache.set(key, this.make(key));
    return this.cache.get(key);
  }

  private make(key: string): Interceptor | undefined {
    const method = this.context?.methods.get(key);
    const handler: unknown = method && Reflect.get(method.instance, method.name);
    if (method === undefined || typeof handler !== 'function') return undefined;
    const condition = this.conditionOf(method, handler);
    const isSigned = signatureSchemeOf(handler) !== undefined;
    if (!isSigned && !isIdempotent(handler)) return condition;
    const requests = this.requests ?? unchecked();
    // A retry gets the stored response, whatever has changed since.
    const run: typeof requests.run = isSigned
      ? (request, ...rest) => requests.runEvent(verifiedEventId(request), request, ...rest)
      : (...all) => requests.run(...all);
    return condition === undefined
      ? (request, reply, call) => run(request, reply, call)
      : (request, reply, call) =>
          run(request, reply, () => condition(request, reply, call), isolationOf(request));
  }

  private conditionOf(method: ControllerMethod, handler: object): Interceptor | undefined {
    const rule = ifMatchRuleOf(handler);
    if (rule === undefined || this.context === undefined) return undefined;
    return conditionOf(method, rule, { ...this.context, db: this.db ?? unchecked() });
  }
}

/** @throws TypeError for a program that started with the finding SLUICE-C408 */
function unchecked(): never {
  throw new TypeError('the contract of the program was not checked');
}
