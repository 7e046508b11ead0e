import type { Operation } from '../openapi/openapi.mts';
import type { Answer } from '../wire/exchange.mts';

/** Whether an operation has the path of a single item in a collection, such as `/posts/{slug}` in `/posts`. */
export function isMemberOf({ path }: Operation, collection: string): boolean {
  return path.startsWith(`${collection}/{`) && path.indexOf('/', collection.length + 1) === -1;
}

/** Returns the parameter names in a path. */
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

/** Returns the id of a created item from the last `Location` part, or from the response member with the parameter's name. */
export function idIn({ headers, text }: Pick<Answer, 'headers' | 'text'>, name: string): string | undefined {
  const last = headers.location?.split('/').at(-1);
  if (last) return decodeURIComponent(last);
  const id: unknown = Reflect.get(Object(parsed(text)), name) ?? Reflect.get(Object(parsed(text)), 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Collects the list members that have the parameter's name or are called `id`. A page number is not collected. */
export function idsIn(value: unknown, name: string, ids = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return ids;
  for (const [member, part] of Object.entries(value)) {
    if (typeof part === 'object') idsIn(part, name, ids);
    else if (member === name || member === 'id') ids.add(String(part));
  }
  return ids;
}
