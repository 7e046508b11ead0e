import { AsyncLocalStorage } from 'node:async_hooks';
import { DefaultQueryExecutor } from 'kysely';
import { Database } from '../src/database/database';
import { intercept } from './intercept';

/** Runs a hook before each statement in some work. Create it before the programs in the `describe`. */
export class BeforeStatements {
  private readonly hooks = new AsyncLocalStorage<(() => Promise<void>) | undefined>();

  constructor() {
    const statements = [
      [DefaultQueryExecutor.prototype, 'executeQuery'],
      [Database.prototype, 'executeQuery'],
    ] as const;
    for (const [prototype, method] of statements)
      intercept(prototype, method, async (proceed) => {
        await this.callHook();
        // A statement may be executed by another of these methods.
        return this.hooks.run(undefined, async () => proceed());
      });
    intercept(Database.prototype, 'transact', async (proceed) => {
      await this.callHook();
      return proceed();
    });
  }

  /** Calls `hook` before each statement that `work` executes anywhere, including `begin`. */
  during<T>(work: () => Promise<T>, hook: () => Promise<void>): Promise<T> {
    return this.hooks.run(hook, work);
  }

  /** Calls the hook. Its own statements do not call it again. */
  private async callHook(): Promise<void> {
    const hook = this.hooks.getStore();
    if (hook !== undefined) await this.hooks.run(undefined, hook);
  }
}
