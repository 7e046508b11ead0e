import { useMigratedDatabase } from '@app/persistence/testing';
import { limitsTogether } from '../../testing/limits-together';
import { librarySchemas } from '../schema';
import { RateCountsStore } from './rate-counts.store';

describe('programs that add up their counts in the database', () => {
  const database = useMigratedDatabase(librarySchemas);
  limitsTogether(() => new RateCountsStore(database.db));
});
