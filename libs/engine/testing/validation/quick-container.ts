/** A container that returns the same instances as the library's own container, which searches a growing list. */
export const quickContainer = {
  instances: new WeakMap<object, object>(),
  get<Made>(type: (new () => Made) | { new: unknown }): Made {
    const existing = this.instances.get(type) as Made | undefined;
    if (existing) return existing;
    const instance = new (type as new () => Made)();
    this.instances.set(type, instance as object);
    return instance;
  },
};
