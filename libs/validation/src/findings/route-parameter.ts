import type { GroupedSchema, InputClass } from '../groups';

/** A parameter of a handler that takes what a caller sent: a body, a query, or the named parts of a path. */
export interface RouteParameter {
  /** Its place among the handler's parameters, from 0. */
  readonly index: number;
  readonly from: 'body' | 'query' | 'path';
  /** The one field it takes, as in `@Body('name')`; `undefined` when it takes the whole. */
  readonly field: string | undefined;
  /** What the compiler noted of its type: `Object` for an interface, `Array` for a list. */
  readonly noted: unknown;
  /** The class whose rules are run on it; `undefined` when none can be seen. */
  readonly type: InputClass | undefined;
  /** The groups it is validated under; empty when it names none, and then rules of every group run. */
  readonly groups: readonly string[];
  /** What `inGroups` names, whatever the compiler noted. */
  readonly schema: GroupedSchema | undefined;
  readonly pipes: readonly unknown[];
}

/** What a compiler writes for an interface, a type, a union, a list, or a class imported as a type. */
const notClasses = new Set<unknown>([
  undefined,
  Object,
  Array,
  String,
  Number,
  Boolean,
  Date,
  Function,
  Promise,
  Map,
  Set,
]);

/** Whether rules could have been declared on a type, as far as the compiler noted it. */
export function isInputClass(type: unknown): type is InputClass {
  return typeof type === 'function' && !notClasses.has(type);
}
