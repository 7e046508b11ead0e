import { Database } from '@app/persistence';
import type { FactoryProvider, Type } from '@nestjs/common';
import { type BatchTask, Housekeeping } from './housekeeping.service';
import { JobLease } from './job-lease';
import { type RetentionRule, Retentions } from './retentions';

/** What runs in the background. */
export interface HousekeepingPart {
  readonly rules?: readonly RetentionRule[];
  readonly tasks?: readonly BatchTask[];
}

/**
 * A provider that deletes expired rows of one part of a program, and runs its tasks, as {@link Housekeeping} does.
 *
 * @param name of the part, the same in every program
 */
export function housekeepingPart<Store>(
  name: string,
  store: Type<Store>,
  makePart: (store: Store) => HousekeepingPart,
): FactoryProvider {
  return {
    provide: `housekeeping of ${name}`,
    inject: [Database, store],
    useFactory: (db: Database, given: Store) => {
      const { rules = [], tasks = [] } = makePart(given);
      return new Housekeeping(new JobLease(db, name), new Retentions(db, rules), tasks);
    },
  };
}
