import { existsSync, readFileSync } from 'node:fs';

/** The parts of a test report that the tally reads. A file that fails to load is a failed suite without failed tests. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Prints each failure with the beginning of its message, then all test reports on a single line. */
const failures = process.argv.slice(2).map((file) => {
  const report: Report | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  // A run without a report ended before its first test.
  return report
    ? { passed: report.numPassedTests, failed: failuresOf(report) }
    : { passed: 0, failed: [file] };
});
const failed = failures.flatMap((report) => report.failed);
for (const failure of failed) console.log(`FAILED ${failure}`);
const passed = failures.reduce((total, report) => total + report.passed, 0);
console.log(`${passed} passed, ${failed.length} failed`);

function failuresOf({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((assertion) => assertion.status === 'failed');
    const unloadable = status === 'failed' && tests.length === 0;
    return unloadable
      ? [`${name}\n${beginning(message)}`]
      : tests.map(
          ({ fullName, failureMessages }) => `${name}: ${fullName}\n${beginning(failureMessages.join('\n'))}`,
        );
  });
}

function beginning(message: string): string {
  return message.split('\n', 12).join('\n').slice(0, 1200);
}
