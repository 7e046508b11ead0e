import type { components } from './api';

type Schemas = components['schemas'];

/** An error from `api`, by its code: `error.code === 'email-conflict'` narrows it to the members of that error. */
export type Problem = {
  [Name in keyof Schemas]: Name extends `${string}Problem` ? Schemas[Name] : never;
}[keyof Schemas];

/** An invalid value in the request; `code` narrows `params` to the rule's arguments. */
export type InvalidValue = Schemas['InvalidValue'];

/** The `Accept` header for errors in the format of RFC 9457. */
export const acceptsProblems = 'application/problem+json, application/json;q=0.9';

/**
 * Returns the error in a response.
 *
 * @param body the parsed body
 * @returns `undefined` for any other response, such as a proxy response
 */
export function problemIn<T>(response: Response, body: T): T | undefined {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  return isProblem ? body : undefined;
}
