import { type Rate, readRate } from '@app/settings';

const declared = new WeakMap<object, Rate | 'off'>();

/**
 * Limits how often one caller may call a route: `@RateLimit('10/1m')`. A caller is a user, with every API key, or else an address
 * (of IPv6 a /64). Without it, the setting `RATE_LIMIT` applies to the requests of a caller to all such routes together;
 * `off` exempts the route. A handler's decorator replaces its class's.
 *
 * @throws TypeError if it is no rate
 */
export function RateLimit(rate: string): ClassDecorator & MethodDecorator {
  const read = rate === 'off' ? rate : readRate(rate);
  if (read === undefined)
    throw new TypeError(`@RateLimit(${JSON.stringify(rate)}) must be like '10/1m', or 'off'`);
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) => {
    declared.set(descriptor ? Object(descriptor.value) : target, read);
  };
}

/** The {@link RateLimit} of a handler (the method itself), or else of its class; `undefined` without one. */
export function declaredRate(handler: object, controller: object): Rate | 'off' | undefined {
  return declared.get(handler) ?? declared.get(controller);
}
