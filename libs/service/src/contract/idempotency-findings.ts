import type { RouteDescription } from '@app/contract';
import type { Finding } from '@app/engine';

const methods = new Set(['POST', 'PATCH']);
const storable = new Set(['class', 'text', 'nothing']);

/** Finds `@Idempotent()` and `@SignedBy()` on routes that cannot store their response for the caller. */
export function idempotencyFindings(route: RouteDescription): Finding[] {
  if (route.signature) return signatureFindings(route);
  const problem = route.isIdempotent === true ? problemOf(route) : undefined;
  if (problem === undefined) return [];
  return [
    { code: 'SLUICE-C402', problem: `it is idempotent, but ${problem}`, remedy: 'Remove @Idempotent()' },
  ];
}

function signatureFindings({ method, callers, sends, upload, isIdempotent }: RouteDescription): Finding[] {
  const problems = [
    method !== 'POST' && 'not a POST',
    !callers.isPublic && 'closed, and its sender has no account',
    upload && 'for files, which are not verified',
    isIdempotent && 'idempotent by a key too',
    !storable.has(sends) && 'without a response that can be stored',
  ].filter((problem) => typeof problem === 'string');
  const remedy = 'Verify signatures on a @Public() @Post() that sends a class, text or nothing';
  return problems.map((problem) => ({
    code: 'SLUICE-C402',
    problem: `it has @SignedBy(), but is ${problem}`,
    remedy,
  }));
}

function problemOf({ method, callers, sends, upload }: RouteDescription): string | undefined {
  if (!methods.has(method)) return 'neither POST nor PATCH';
  if (callers.isPublic) return 'public, so that its callers cannot be distinguished';
  if (upload) return 'accepts files, which are not compared';
  return storable.has(sends) ? undefined : 'its response may be a stream';
}
