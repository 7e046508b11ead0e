/** The library's own container looks through a list that only grows; this one finds at once, and gives the same. */
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
