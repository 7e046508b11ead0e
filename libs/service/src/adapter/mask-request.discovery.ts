import { asCaller, maskInput, parametersOf, restrictsInput } from '@app/contract';
import type { FastifyRequest } from 'fastify';
import type { ControllerMethod } from '../routes/controller-methods.discovery';

type CalledRequest = FastifyRequest & { readonly user?: unknown };

const members = { body: 'body', query: 'query', path: 'params' } as const;

/**
 * Returns the step that hides the members that a caller may not send. It runs after the guard and before the pipe.
 *
 * @returns `undefined` if every caller may send every member
 */
export function requestMaskOf(handled: ControllerMethod): ((request: CalledRequest) => void) | undefined {
  const inputs = parametersOf(handled.controller, handled.name).filter(
    ({ type, field }) => field === undefined && type !== undefined && restrictsInput(type),
  );
  if (inputs.length === 0) return undefined;
  return (request) => {
    for (const { from, type } of inputs)
      request[members[from]] = maskInput(type, request[members[from]], asCaller(request.user));
  };
}
