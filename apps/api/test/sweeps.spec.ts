import { Database } from '@app/persistence';
import { bootApi } from '../testing/boot-api';

describe('the sweeps of api', () => {
  const api = bootApi();

  it('are begun at start, each kind with a lease of its own', async () => {
    const db = api.app().get(Database, { strict: false });
    const leases = () => db.selectFrom('sweepLease').select('kind').orderBy('kind').execute();
    const kinds = [{ kind: 'accounts' }, { kind: 'idempotency' }, { kind: 'pictures' }];
    await vi.waitFor(async () => expect(await leases()).toEqual(kinds), { timeout: 20_000 });
  });
});
