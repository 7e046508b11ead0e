import { MigrationSteps } from '../src/migrations/migration-steps';

/** Replaces how a step of a migration is recorded; `proceed` records it. To be restored. */
export function onRecord(record: (proceed: () => Promise<void>, step: string) => Promise<void>) {
  const original = MigrationSteps.prototype.record;
  return vi.spyOn(MigrationSteps.prototype, 'record').mockImplementation(function (
    this: MigrationSteps,
    db,
    number,
  ) {
    return record(() => original.call(this, db, number), `${this.name} ${number}`);
  });
}
