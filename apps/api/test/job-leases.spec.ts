import { Database } from '@app/persistence';
import { bootApi } from '../testing/boot-api';

describe('the periodic jobs of api', () => {
  const api = bootApi();

  it('run at start, each with a lease of its own', async () => {
    const db = api.app().get(Database, { strict: false });
    const leases = () => db.selectFrom('jobLease').select('kind').orderBy('kind').execute();
    const kinds = [
      'accounts',
      'idempotency',
      'memberless-organizations',
      'organization-events',
      'organizations',
      'pictures',
      'totp-enrolments',
      'totp-secrets',
    ];
    await vi.waitFor(async () => expect((await leases()).map(({ kind }) => kind)).toEqual(kinds), {
      timeout: 20_000,
    });
  });
});
