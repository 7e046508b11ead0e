import { compareExposures } from '@app/contract';
import { lockedExposures, readExposures } from '../scripts/exposures.mts';
import { listApplications } from '../scripts/workspace.mts';

/** Where a difference is meant, `npm run generate` writes it down, for a reviewer to read. */
describe.each(listApplications())('what %s lets in and out', (application) => {
  const change = async () => {
    const now = await readExposures([application]);
    return compareExposures(lockedExposures()[application] ?? {}, now[application] ?? {});
  };

  it('is no more than contract.lock.json says', async () => {
    expect((await change()).wider).toEqual([]);
  });

  it('is no less either: the lock has not fallen behind (`npm run generate`)', async () => {
    expect((await change()).narrower).toEqual([]);
  });
});
