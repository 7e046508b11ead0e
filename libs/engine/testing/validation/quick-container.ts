/** A container that returns the same instances as the library's own container, which searches a growing list. */
export const quickContainer = {
  instances: new WeakMap<object, object>(),
  get<Made>(type: (new () => Made) | { new: unknown }): Made {
    const known = this.instances.get(type) as Made | undefined;
    if (known) return known;
    const made = new (type as new () => Made)();
    this.instances.set(type, made as object);
    return made;
  },
};
