import { AsyncLocalStorage } from 'node:async_hooks';
import { DefaultQueryExecutor } from 'kysely';
import { Database } from '../src/database/database';
import { intercept } from './intercept';

/** Runs work of a test before each statement of some other work. To be made before the programs of the `describe`. */
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

  /** Calls `hook` before each statement that `work` executes, `begin` included, wherever it does. */
  during<T>(work: () => Promise<T>, hook: () => Promise<void>): Promise<T> {
    return this.hooks.run(hook, work);
  }

  /** The statements of the hook itself have none. */
  private async callHook(): Promise<void> {
    const hook = this.hooks.getStore();
    if (hook !== undefined) await this.hooks.run(undefined, hook);
  }
}
