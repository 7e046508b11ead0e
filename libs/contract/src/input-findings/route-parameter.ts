import type { GroupedSchema, InputClass } from '@app/engine';

/** A handler parameter with input: a body, a query, or path parameters. */
export interface RouteParameter {
  /** The index among the handler's parameters, from 0. */
  readonly index: number;
  readonly from: 'body' | 'query' | 'path';
  /** The single field that the parameter takes, as in `@Body('name')`; `undefined` for the whole input. */
  readonly field: string | undefined;
  /** The type in the compiler's metadata: `Object` for an interface, `Array` for a list. */
  readonly noted: unknown;
  /** The class that validates the parameter; `undefined` if there is no class at run time. */
  readonly type: InputClass | undefined;
  /** The validation groups; if empty, the rules of every group run. */
  readonly groups: readonly string[];
  /** The class of `inGroups`, whatever the compiler's metadata is. */
  readonly schema: GroupedSchema | undefined;
  /** Whether unknown members are removed, by the parameter's own decorator. */
  readonly stripsUnknown: boolean;
  readonly pipes: readonly unknown[];
}

/** The compiler's metadata for an interface, a type, a union, a list, or a class imported as a type. */
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

/** Whether a type can have rules, by the compiler's metadata. */
export function isInputClass(type: unknown): type is InputClass {
  return typeof type === 'function' && !notClasses.has(type);
}
