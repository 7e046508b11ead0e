import { type StoreClock } from '../src/jobs/database-clock';
import { jobLeaseTable } from '../src/jobs/job-lease.table';
import { retentionTable } from '../src/jobs/retention.table';
import { DatabaseSchema } from '../src/schema/database-schema';

/** The job tables alone. */
export const jobsSchema = new DatabaseSchema('jobs', [jobLeaseTable, retentionTable]);

/** Several programs' clocks and their database's clock, set by a test. */
export class SetClock implements StoreClock {
  private now = Date.UTC(2026, 2, 1);
  private passed = 0;

  /** Advances both clocks. */
  pass(ms: number): void {
    this.passed += ms;
    this.step(ms);
  }

  /** Sets the database's clock. */
  step(ms: number): void {
    this.now += ms;
  }

  async wall(): Promise<number> {
    return this.now;
  }

  monotonic(): number {
    return this.passed;
  }
}
