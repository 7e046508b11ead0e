import type { Database } from '@app/persistence';
import type { ValidationPipe } from '@app/validation';
import type { IdempotentRequests } from '../../idempotency/idempotent-requests';
import type { Around } from '../../route/compile-route';
import { conditionOf } from '../conditions/if-match';
import { ifMatchRuleOf, isIdempotent } from './declared';
import type { ControllerMethod } from '../route/controller-methods';

/** What a program is made of, once its controllers exist. */
export interface AroundContext {
  readonly adapter: object;
  readonly pipe: ValidationPipe | undefined;
  readonly methods: ReadonlyMap<string, ControllerMethod>;
}

/** What runs around the handlers of a program: retries and preconditions. Compiled routes and those of Nest share it. */
export class RouteArounds {
  private readonly made = new Map<string, Around | undefined>();
  private context: AroundContext | undefined;

  constructor(
    private readonly db: Database | undefined,
    private readonly requests: IdempotentRequests | undefined,
  ) {}

  /** To be called before `init`. */
  prepare(context: AroundContext): void {
    this.context = context;
  }

  /**
   * What runs around a handler, by the name that Nest gives to its route, such as `UsersController.read`.
   *
   * @returns `undefined` if nothing is declared
   * @throws TypeError without a database, and for a handler that the program cannot call by itself
   */
  of(key: string): Around | undefined {
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

  private make(key: string): Around | undefined {
    const method = this.context?.methods.get(key);
    const handler: unknown = method && Reflect.get(method.instance, method.name);
    if (method === undefined || typeof handler !== 'function') return undefined;
    const condition = this.conditionOf(method, handler);
    if (!isIdempotent(handler)) return condition;
    const requests = this.requests ?? noDatabase('@Idempotent()');
    // A retry gets the response that was kept, whatever has changed since.
    return condition === undefined
      ? (request, reply, call) => requests.run(request, reply, call)
      : (request, reply, call) => requests.run(request, reply, () => condition(request, reply, call));
  }

  private conditionOf(method: ControllerMethod, handler: object): Around | undefined {
    const rule = ifMatchRuleOf(handler);
    if (rule === undefined) return undefined;
    const { adapter, pipe } = this.context ?? {};
    if (adapter === undefined || pipe === undefined || !method.isStatic)
      throw new TypeError(
        '@IfMatch() needs our validation pipe, and a controller that is not request-scoped',
      );
    return conditionOf(method, rule, { adapter, pipe, db: this.db ?? noDatabase('@IfMatch()') });
  }
}

function noDatabase(decorator: string): never {
  throw new TypeError(`${decorator} needs a database: import PersistenceModule`);
}
