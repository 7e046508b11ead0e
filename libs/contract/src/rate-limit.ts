/** A number of requests in a period. */
export interface Rate {
  readonly limit: number;
  readonly windowSeconds: number;
}

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const form = /^(\d{1,7})\/(\d{1,5})([smhd])$/;
const longestSeconds = 86_400;

/**
 * Reads a rate: `600/1m` is 600 requests a minute. The period is at most a day.
 *
 * @returns `undefined` if it is none
 */
export function readRate(text: string): Rate | undefined {
  const [, limit, count, unit = ''] = form.exec(text) ?? [];
  const rate = { limit: Number(limit), windowSeconds: Number(count) * (secondsIn[unit] ?? NaN) };
  return rate.limit > 0 && rate.windowSeconds > 0 && rate.windowSeconds <= longestSeconds ? rate : undefined;
}

/** Writes a rate in its shortest form. */
export function rateText({ limit, windowSeconds }: Rate): string {
  const [unit, seconds] = Object.entries(secondsIn)
    .toReversed()
    .find(([, one]) => windowSeconds % one === 0) ?? ['s', 1];
  return `${limit}/${windowSeconds / seconds}${unit}`;
}

const declared = new WeakMap<object, Rate | 'off'>();

/**
 * Limits how often one caller may call a route: `@RateLimit('10/1m')`. A caller is a user, an API key, or else an address
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
