/** Replaces methods of a class as if the class declared them. Subclasses can override them, and they are not enumerable. */
export function withMethods<Type extends Function>(
  type: Type,
  methods: Readonly<Record<string, Function>>,
): Type {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(type.prototype, name, { value, writable: true, configurable: true });
  return type;
}
