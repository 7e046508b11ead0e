import type { InputType } from '@app/contract';

/** The class of a handler's whole body, query or path. */
export interface ClassParameter {
  readonly from: 'body' | 'query' | 'path';
  readonly type: InputType;
  /** The groups of `inGroups`. */
  readonly groups: readonly string[] | undefined;
  readonly pipes: readonly unknown[];
}

/** Nest's numbers of the decorators. */
const places: Readonly<Record<string, ClassParameter['from']>> = { 3: 'body', 4: 'query', 5: 'path' };

interface Declared {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly schema?: unknown;
}

/** The compiler's metadata of what is no class of the program. */
const builtIn = new Set<unknown>([Object, Array, String, Number, Boolean, Date, Function, Promise, Map, Set]);

/** The parameters of a handler that have a class: not single fields, such as `@Body('name')`, and not lists. */
export function classParameters(controller: Function, handler: string): ClassParameter[] {
  const { prototype }: { prototype: object } = controller;
  const types: readonly unknown[] = Reflect.getMetadata('design:paramtypes', prototype, handler) ?? [];
  const declared: Record<string, Declared> =
    Reflect.getMetadata('__routeArguments__', controller, handler) ?? {};
  return Object.entries(declared).flatMap(([key, { index, data, pipes = [], schema }]) => {
    const from = places[key.split(':', 1)[0] ?? ''];
    const grouped = isGrouped(schema) ? schema : undefined;
    const type: unknown = grouped?.type ?? types[index];
    if (!from || typeof data === 'string' || !isClass(type)) return [];
    return [{ from, type, groups: grouped?.groups, pipes }];
  });
}

/** What `inGroups` of `./nest` returns; that entry has its own copy of the class. */
function isGrouped(
  schema: unknown,
): schema is { readonly type: Function; readonly groups: readonly string[] } {
  const { type, groups }: { type?: unknown; groups?: unknown } = Object(schema);
  return typeof type === 'function' && Array.isArray(groups);
}

function isClass(type: unknown): type is InputType {
  return typeof type === 'function' && !builtIn.has(type);
}
