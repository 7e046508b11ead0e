const ownHooks = new WeakSet<Function>();
const stepsOfPipeline = new WeakSet<Function>();

/** Marks a hook of ours: it calls `done` before it returns, and does not use `this`. The pipeline calls it without Fastify's runner. */
export function ownHook<Hook extends Function>(hook: Hook): Hook {
  ownHooks.add(hook);
  return hook;
}

/** Whether a hook is marked by {@link ownHook}. */
export function isOwnHook(hook: Function): boolean {
  return ownHooks.has(hook);
}

/** Marks a hook of ours that Fastify alone calls, as the pipeline has a step for it. */
export function stepForFastify<Hook extends Function>(hook: Hook): Hook {
  stepsOfPipeline.add(hook);
  return hook;
}

/** Whether a hook is marked by {@link stepForFastify}. */
export function isStepForFastify(hook: Function): boolean {
  return stepsOfPipeline.has(hook);
}
