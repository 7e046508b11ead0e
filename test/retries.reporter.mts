import type { TestCase, TestModule } from 'vitest/node';

/**
 * Names the tests that passed at the second attempt, which CI makes so that one of 12,000 that depends on the machine's speed
 * does not refuse a change: each is a fault of the test, or of what it tests, and is to be mended.
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
