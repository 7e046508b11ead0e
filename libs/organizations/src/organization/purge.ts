import { type Database, isAmong, type JobRun } from '@app/persistence';

/** Deletes deleted organizations' rows in batches, so that the job never holds the writer for long. */
export async function purgeDeleted(
  db: Database,
  { inBatches, mayContinue }: Pick<JobRun, 'inBatches' | 'mayContinue'>,
): Promise<void> {
  for (;;) {
    const id = await firstDeleted(db);
    if (id === undefined) return;
    for (const rows of [events, invitations, members])
      await inBatches(async (limit) => {
        const { numDeletedRows } = await rows(db, id, limit).executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      });
    if (!(await mayContinue())) return;
    await db.deleteFrom('organization').where('id', '=', id).execute();
  }
}

/** Marks organizations without members as deleted: all members' accounts were deleted. */
export async function deleteMemberless(
  db: Database,
  { inBatches }: Pick<JobRun, 'inBatches'>,
): Promise<void> {
  let after = 0;
  await inBatches(async (limit) => {
    const page = await db
      .selectFrom('organization')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    const last = page.at(-1)?.id ?? after;
    await db
      .updateTable('organization')
      .set({ deletedAt: new Date() })
      .where('id', '>', after)
      .where('id', '<=', last)
      .where('deletedAt', 'is', null)
      .where((row) => {
        const ofOrganization = row.selectFrom('organizationMember').select('accountId');
        return row.not(row.exists(ofOrganization.whereRef('organizationId', '=', 'organization.id')));
      })
      .execute();
    after = last;
    return page.length;
  });
}

async function firstDeleted(db: Database): Promise<number | undefined> {
  // A range, because SQLite finds values that are not null by no index.
  const all = db.selectFrom('organization').select('id').where('deletedAt', '>', new Date(0));
  return (await all.orderBy('deletedAt').limit(1).executeTakeFirst())?.id;
}

const events = (db: Database, organizationId: number, limit: number) => {
  const own = db.selectFrom('organizationEvent').select('id').where('organizationId', '=', organizationId);
  return db
    .deleteFrom('organizationEvent')
    .where('organizationId', '=', organizationId)
    .where((row) => isAmong(db, row.ref('id'), own.limit(limit)));
};

const invitations = (db: Database, organizationId: number, limit: number) => {
  const own = db.selectFrom('organizationInvitation').select('id');
  return db
    .deleteFrom('organizationInvitation')
    .where('organizationId', '=', organizationId)
    .where((row) =>
      isAmong(db, row.ref('id'), own.where('organizationId', '=', organizationId).limit(limit)),
    );
};

const members = (db: Database, organizationId: number, limit: number) => {
  const own = db.selectFrom('organizationMember').select('accountId');
  return db
    .deleteFrom('organizationMember')
    .where('organizationId', '=', organizationId)
    .where((row) =>
      isAmong(db, row.ref('accountId'), own.where('organizationId', '=', organizationId).limit(limit)),
    );
};
