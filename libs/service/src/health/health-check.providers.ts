import type { FactoryProvider, Type } from '@nestjs/common';
import { StoreCheck } from './store-check';

/** A provider that checks whether a part of a plugin works, under a name of `GET /health`. */
export type HealthCheckProvider = FactoryProvider<StoreCheck> & { readonly name: string };

/** Returns the token of a health check. */
export function healthToken(name: string): string {
  return `health check ${name}`;
}

/**
 * Declares a health check of a plugin. The program is not ready while it fails. Concurrent probes share one check, and one that
 * takes longer than a second repeats the last result.
 *
 * @param name   the member of `checks` in the response
 * @param from   a provider of the plugin
 * @param isWell resolves to `false`, or rejects, if the part does not work
 */
export function healthCheck<Part>(
  name: string,
  from: Type<Part>,
  isWell: (part: Part) => Promise<boolean>,
): HealthCheckProvider {
  return {
    name,
    provide: healthToken(name),
    inject: [from],
    useFactory: (part: Part) =>
      new StoreCheck({ check: async () => ({ state: (await isWell(part)) ? 'ok' : 'unavailable' }) }),
  };
}
