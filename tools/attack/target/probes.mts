import { takesBearer, type Operation } from '../openapi/openapi.mts';
import { headersFor } from './requests.mts';
import type { Probe } from './baseline.mts';
import type { Target } from './target.mts';

/** Returns a probe that requests the regular caller's first small response from a route without parameters. */
export function baselineProbe(target: Target): Probe {
  const { operations, wire } = target;
  const plain = operations.filter(
    ({ method, path, security }) =>
      method === 'GET' && !path.includes('{') && security.every(({ roles }) => roles.length === 0),
  );
  const small =
    plain.find((operation) => takesBearer(operation) && isSmall(operation)) ??
    plain.find(takesBearer) ??
    plain[0];
  return async () => {
    const headers = small && (await headersFor(small, target));
    return wire.sendOnce({ method: 'GET', path: small?.path ?? '/', headers });
  };
}

/** Returns a probe that signs a baseline caller in. */
export function signInProbe({ callers: { user }, wire }: Target): Probe {
  return () => wire.sendOnce({ ...user.signInAttempt(), from: user.from });
}

/** A list has parameters. */
function isSmall({ parameters }: Operation): boolean {
  return parameters.length === 0;
}
