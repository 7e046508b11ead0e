import type { FactoryProvider, Type } from '@nestjs/common';
import { StoreCheck } from './store-check';

/** A provider that checks whether a plugin's part works. The name is a member of `checks` in the `GET /health` response. */
export type HealthCheckProvider = FactoryProvider<StoreCheck> & { readonly name: string };

/** Returns a health check's token. */
export function healthToken(name: string): string {
  return `health check ${name}`;
}

/**
 * Declares a health check for a plugin. The program is not ready while the check fails. Concurrent probes share a check. A check
 * that takes longer than a second repeats the last result.
 *
 * @param name the member in the response's `checks`
 * @param from a provider in the plugin
 * @param isWell resolves to `false`, or rejects, if the part fails
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
