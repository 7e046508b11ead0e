import type { FactoryProvider, Type } from '@nestjs/common';
import { Database } from '../database/database';
import type { Job } from './job';
import { JobRunner } from './job-runner.service';

/** A provider that runs a job. */
export type JobProvider = FactoryProvider & Pick<Job, 'name'>;

/** The token by which Nest provides a job's {@link JobRunner}. */
export function jobToken(name: string): string {
  return `job ${name}`;
}

/**
 * Creates a provider that runs a service's job while the program runs.
 *
 * @param name the job name, which is the same in every program
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
    useFactory: (db: Database, injected: Store) => new JobRunner(db, { ...makeJob(injected, db), name }),
  };
}
