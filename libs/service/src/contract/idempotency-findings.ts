import type { RouteDescription } from '@app/contract';
import type { Finding } from '@app/engine';

const methods = new Set(['POST', 'PATCH']);
const storable = new Set(['class', 'text', 'nothing']);

/** Finds `@Idempotent()` on routes that cannot store their response for the caller. */
export function idempotencyFindings(route: RouteDescription): Finding[] {
  const problem = route.isIdempotent === true ? problemOf(route) : undefined;
  if (problem === undefined) return [];
  return [
    { code: 'SLUICE-C402', problem: `it is idempotent, but ${problem}`, remedy: 'Remove @Idempotent()' },
  ];
}

function problemOf({ method, callers, sends, upload }: RouteDescription): string | undefined {
  if (!methods.has(method)) return 'neither POST nor PATCH';
  if (callers.isPublic) return 'public, so that its callers cannot be distinguished';
  if (upload) return 'accepts files, which are not compared';
  return storable.has(sends) ? undefined : 'its response may be a stream';
}
