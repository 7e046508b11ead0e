import type { FactoryProvider, Type } from '@nestjs/common';
import { Database } from '../database/database';
import type { Job } from './job';
import { JobRunner } from './job-runner.service';

/** A provider that runs a job. */
export type JobProvider = FactoryProvider & Pick<Job, 'name'>;

/** The token by which Nest provides the {@link JobRunner} of a job. */
export function jobToken(name: string): string {
  return `job ${name}`;
}

/**
 * A provider that runs a job of one of its services while the program runs.
 *
 * @param name as the job's, the same in every program
 */
export function jobOf<Store>(
  name: string,
  store: Type<Store>,
  makeJob: (store: Store, db: Database) => Omit<Job, 'name'>,
): JobProvider {
  return {
    name,
    provide: jobToken(name),
    inject: [Database, store],
    useFactory: (db: Database, given: Store) => new JobRunner(db, { ...makeJob(given, db), name }),
  };
}
