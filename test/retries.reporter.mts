import type { TestCase, TestModule } from 'vitest/node';

/**
 * Lists the tests that passed at the second attempt. CI retries tests because a run has 12,000 of them and some depend on the
 * machine's speed. Each listed test reveals a fault in the test or its subject that you need to fix.
 */
export class RetriesReporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky)
          process.stdout.write(`PASSED AT THE SECOND ATTEMPT ${nameOf(module, test)}\n`);
  }
}

function nameOf(module: TestModule, test: TestCase): string {
  return `${module.relativeModuleId} (${module.project.name}): ${test.fullName}`;
}
