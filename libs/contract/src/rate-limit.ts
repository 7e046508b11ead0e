import { type Rate, readRate } from '@app/settings';

const declared = new WeakMap<object, Rate | 'off'>();

/**
 * Limits how often a caller may call a route: `@RateLimit('10/1m')`. A caller is a user, with all API keys, or else an address
 * (for IPv6 a /64). Routes without the decorator share the setting `RATE_LIMIT` for each caller; `off` exempts the route. A
 * handler's decorator replaces its class's decorator.
 *
 * @throws TypeError if the rate is malformed
 */
export function RateLimit(rate: string): ClassDecorator & MethodDecorator {
  const read = rate === 'off' ? rate : readRate(rate);
  if (read === undefined)
    throw new TypeError(`@RateLimit(${JSON.stringify(rate)}) must be like '10/1m', or 'off'`);
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) => {
    declared.set(descriptor ? Object(descriptor.value) : target, read);
  };
}

/** Returns the {@link RateLimit} on a handler (the method itself), or else on its class; `undefined` without the decorator. */
export function declaredRate(handler: object, controller: object): Rate | 'off' | undefined {
  return declared.get(handler) ?? declared.get(controller);
}
