const ownHooks = new WeakSet<Function>();
const stepsOfPipeline = new WeakSet<Function>();

/** Marks our own hook, which calls `done` before it returns and ignores `this`. The pipeline calls it without Fastify. */
export function ownHook<Hook extends Function>(hook: Hook): Hook {
  ownHooks.add(hook);
  return hook;
}

/** Returns whether a hook is marked by {@link ownHook}. */
export function isOwnHook(hook: Function): boolean {
  return ownHooks.has(hook);
}

/** Marks our own hook that only Fastify calls, because the pipeline has a step for it. */
export function stepForFastify<Hook extends Function>(hook: Hook): Hook {
  stepsOfPipeline.add(hook);
  return hook;
}

/** Returns whether a hook is marked by {@link stepForFastify}. */
export function isStepForFastify(hook: Function): boolean {
  return stepsOfPipeline.has(hook);
}
