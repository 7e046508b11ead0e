import type { Queries } from '@app/persistence';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { transactionOf, transactionPositions } from './request-transaction';

/**
 * Injects the transaction of a request with an `Idempotency-Key` or a condition (`@Idempotent()`, `@IfMatch()`), for the stores
 * that the handler calls. It is `undefined` for any different request, for which a store uses its database.
 *
 * @throws TypeError if a handler has two
 */
export function Transaction(): ParameterDecorator {
  return (target, name, index) => {
    const handler: unknown = name === undefined ? undefined : Reflect.get(target, name);
    if (typeof handler !== 'function' || transactionPositions.has(handler))
      throw new TypeError('@Transaction() is for one parameter of a handler');
    transactionPositions.set(handler, index);
    injected(target, name, index);
  };
}

/** Returns whether the factory of a parameter decorator belongs to {@link Transaction}. */
export function isTransactionFactory(factory: unknown): boolean {
  return factory === transactionIn;
}

function transactionIn(_: unknown, context: ExecutionContext): Queries | undefined {
  return transactionOf(context.getArgByIndex<object>(0));
}

const injected = createParamDecorator(transactionIn)();
