const ownHooks = new WeakSet<Function>();

/** Marks a hook of ours: it calls `done` before it returns, and `this` is not used. Direct routes call it without a runner. */
export function ownHook<Hook extends Function>(hook: Hook): Hook {
  ownHooks.add(hook);
  return hook;
}

/** Whether a hook is marked by {@link ownHook}. */
export function isOwnHook(hook: Function): boolean {
  return ownHooks.has(hook);
}
