// Functions of the language that the package calls often: in the package, each call is of one of these variables.
// They are not written as `Object.keys`, which the bundler would replace here too.

export const { isArray: Array_isArray, prototype: Array_prototype } = Array;
export const { prototype: Function_prototype } = Function;
export const { stringify: JSON_stringify } = JSON;
export const {
  assign: Object_assign,
  create: Object_create,
  defineProperty: Object_defineProperty,
  entries: Object_entries,
  freeze: Object_freeze,
  getOwnPropertyDescriptor: Object_getOwnPropertyDescriptor,
  getPrototypeOf: Object_getPrototypeOf,
  hasOwn: Object_hasOwn,
  is: Object_is,
  keys: Object_keys,
  prototype: Object_prototype,
  values: Object_values,
} = Object;
export const {
  deleteProperty: Reflect_deleteProperty,
  get: Reflect_get,
  ownKeys: Reflect_ownKeys,
  set: Reflect_set,
} = Reflect;
