import type { Operation } from '../openapi/openapi.mts';
import type { Answer } from '../wire/exchange.mts';

/** Whether the path of an operation is that of one thing of a collection: `/posts/{slug}` of `/posts`. */
export function isMemberOf({ path }: Operation, collection: string): boolean {
  return path.startsWith(`${collection}/{`) && path.indexOf('/', collection.length + 1) === -1;
}

/** The names of the parameters of a path. */
export function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

/** A body in JSON; `undefined` for any other. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The id of a thing that was created: the last part of `Location`, or the member of the response that has the parameter's name. */
export function idIn({ headers, text }: Pick<Answer, 'headers' | 'text'>, name: string): string | undefined {
  const last = headers.location?.split('/').at(-1);
  if (last) return decodeURIComponent(last);
  const id: unknown = Reflect.get(Object(parsed(text)), name) ?? Reflect.get(Object(parsed(text)), 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
