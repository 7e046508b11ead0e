import { Housekeeping, Retentions, JobLease } from '@app/accounts';
import { Database } from '@app/persistence';
import type { FactoryProvider } from '@nestjs/common';
import { PicturesStore } from './pictures.store';

/** Files of pictures whose account was removed, by `admin` too. */
export const picturesHousekeeping: FactoryProvider = {
  provide: 'pictures housekeeping',
  inject: [Database, PicturesStore],
  useFactory: (db: Database, pictures: PicturesStore) =>
    new Housekeeping(new JobLease(db, 'pictures'), new Retentions(db, []), [
      (limit) => pictures.removeWithoutOwner(limit),
    ]),
};
