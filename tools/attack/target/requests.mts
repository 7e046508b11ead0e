import type { Caller } from './callers.mts';
import { takesBearer, membersOf, type Operation } from '../openapi/openapi.mts';
import { fileOf } from '../openapi/files.mts';
import { sampleOf } from '../openapi/sample.mts';
import { nextSeed, type Target } from './target.mts';
import { type Attempt, jsonAttempt } from '../wire/exchange.mts';
import { formAttempt } from '../wire/form.mts';

/** The parts that replace the valid parts in a request. */
export interface Changes {
  readonly body?: unknown;
  /** The path values by parameter. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Attempt['headers'];
}

/** An id that hardly exists. */
const nobody = 999_999_999;

/**
 * Makes a valid request of an operation, with some parts changed.
 *
 * @returns `undefined` if no valid body can be made
 */
export function requestOf(operation: Operation, changes: Changes = {}): Attempt | undefined {
  const body = 'body' in changes ? changes.body : validBody(operation);
  if (operation.body !== undefined && body === undefined) return undefined;
  const { method, upload } = operation;
  const path = pathOf(operation, changes);
  if (upload === undefined) return jsonAttempt(method, path, body, changes.headers);
  const [type = 'application/octet-stream'] = upload.types;
  return formAttempt({ method, path, headers: changes.headers }, upload.member, {
    type,
    content: fileOf(type),
  });
}

/** Makes a body that the operation's schema accepts; `undefined` if the operation takes no body or it cannot be made. */
export function validBody({ body, example }: Operation): unknown {
  return body === undefined ? undefined : (sampleOf(body, nextSeed()) ?? example);
}

function pathOf({ path, parameters }: Operation, { path: pathValues = {}, query = {} }: Changes): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(pathValues[name] ?? anyValue(parameters, name)),
  );
  const required = parameters.filter(
    (parameter) => parameter.in === 'query' && parameter.required && !(parameter.name in query),
  );
  const search = new URLSearchParams([
    ...required.map(({ name }) => [name, anyValue(parameters, name)]),
    ...Object.entries(query),
  ]).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function anyValue(parameters: Operation['parameters'], name: string): string {
  const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
  const { type } = schema;
  if (type === 'integer' || type === 'number') return String(Math.min(nobody, schema.maximum ?? nobody));
  const sample = sampleOf(schema, nextSeed());
  return typeof sample === 'string' ? sample : String(nobody);
}

/** Returns a caller who may use an operation, which is an administrator if it requires a role; `undefined` if it is public. */
export function callerOf({ security }: Operation, { callers }: Target): Caller | undefined {
  if (security.length === 0) return undefined;
  return security.some(({ roles }) => roles.length === 0) ? callers.user : callers.admin;
}

/** The headers of a caller who may use an operation; `undefined` if it takes no bearer token. */
export async function headersFor(
  operation: Operation,
  target: Target,
): Promise<Record<string, string> | undefined> {
  if (operation.security.length > 0 && !takesBearer(operation)) return undefined;
  return { ...(await callerOf(operation, target)?.headers()) };
}

/** Makes a valid request from a permitted caller, with some parts changed; `undefined` if that is impossible. */
export async function permittedRequest(
  operation: Operation,
  target: Target,
  changes: Changes = {},
): Promise<Attempt | undefined> {
  const headers = await headersFor(operation, target);
  return headers && requestOf(operation, { ...changes, headers: { ...headers, ...changes.headers } });
}

/** Whether an operation ends or changes its caller's means to sign in. It would end the attack's sessions, too. */
export function endsOwnSession(operation: Operation): boolean {
  const { method, path, security } = operation;
  const isOwnPassword =
    security.length > 0 &&
    !path.includes('{') &&
    membersOf(operation).some((name) => /^(?:new_?)?pass/i.test(name));
  return (
    /log-?out|sign-?out|revoke/i.test(path) ||
    (method === 'DELETE' && /\/(?:me|self|current)$/.test(path)) ||
    (isOwnPassword && (method !== 'POST' || /password/i.test(path)))
  );
}
