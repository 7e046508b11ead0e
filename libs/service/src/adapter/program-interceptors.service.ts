import type { Database } from '@app/persistence';
import type { IdempotentRequests } from '../idempotency/idempotent-requests';
import type { Interceptor } from '../routes/compile-route';
import { ifMatchRuleOf } from '../conditions/if-match.decorator';
import { type ConditionContext, conditionOf, isolationOf } from '../conditions/condition.discovery';
import { isIdempotent } from '../idempotency/idempotent.decorator';
import { RouteInterceptors } from '../routes/handler.interceptor';
import type { ControllerMethod } from '../routes/controller-methods.discovery';

/** What a program is made of, once its controllers exist. */
export interface InterceptedProgram {
  readonly adapter: object;
  /** Reads the arguments of a handler; none without our validation pipe. */
  readonly readerOf: ConditionContext['readerOf'] | undefined;
  readonly methods: ReadonlyMap<string, ControllerMethod>;
}

/** The interceptors of a program's handlers: retries and preconditions. */
export class ProgramInterceptors extends RouteInterceptors {
  private readonly made = new Map<string, Interceptor | undefined>();
  private context: InterceptedProgram | undefined;

  constructor(
    private readonly db: Database | undefined,
    private readonly requests: IdempotentRequests | undefined,
  ) {
    super();
  }

  /** To be called before `init`. */
  prepare(context: InterceptedProgram): void {
    this.context = context;
  }

  override of(key: string): Interceptor | undefined {
    if (!this.made.has(key)) this.made.set(key, this.make(key));
    return this.made.get(key);
  }

  /**
   * Makes them all, so that a fault ends the start.
   *
   * @throws TypeError as {@link of}
   */
  check(): void {
    for (const key of this.context?.methods.keys() ?? []) this.of(key);
  }

  private make(key: string): Interceptor | undefined {
    const method = this.context?.methods.get(key);
    const handler: unknown = method && Reflect.get(method.instance, method.name);
    if (method === undefined || typeof handler !== 'function') return undefined;
    const condition = this.conditionOf(method, handler);
    if (!isIdempotent(handler)) return condition;
    const requests = this.requests ?? noDatabase('@Idempotent()');
    // A retry gets the stored response, whatever has changed since.
    return condition === undefined
      ? (request, reply, call) => requests.run(request, reply, call)
      : (request, reply, call) =>
          requests.run(request, reply, () => condition(request, reply, call), isolationOf(request));
  }

  private conditionOf(method: ControllerMethod, handler: object): Interceptor | undefined {
    const rule = ifMatchRuleOf(handler);
    if (rule === undefined) return undefined;
    const { adapter, readerOf } = this.context ?? {};
    if (adapter === undefined || readerOf === undefined || !method.isStatic)
      throw new TypeError(
        '@IfMatch() needs our validation pipe, and a controller that is not request-scoped',
      );
    return conditionOf(method, rule, { adapter, readerOf, db: this.db ?? noDatabase('@IfMatch()') });
  }
}

function noDatabase(decorator: string): never {
  throw new TypeError(`${decorator} needs a database: import PersistenceModule`);
}
