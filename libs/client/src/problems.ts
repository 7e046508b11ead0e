import type { components } from './api';

type Schemas = components['schemas'];

/** An error of `api`, by its code: `error.code === 'email-conflict'` narrows it to what that error has. */
export type Problem = {
  [Name in keyof Schemas]: Name extends `${string}Problem` ? Schemas[Name] : never;
}[keyof Schemas];

/** A value of the request that is invalid; `code` narrows `params` to the arguments of the rule. */
export type InvalidValue = Schemas['InvalidValue'];

/** Errors as RFC 9457 has them. */
export const acceptsProblems = 'application/problem+json, application/json;q=0.9';

/**
 * The error in a response.
 *
 * @param body parsed
 * @returns `undefined` for other responses, such as those of a proxy
 */
export function problemIn<T>(response: Response, body: T): T | undefined {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  return isProblem ? body : undefined;
}
