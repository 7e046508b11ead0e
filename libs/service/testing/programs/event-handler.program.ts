import { appendFileSync } from 'node:fs';
import { openDatabase } from '@app/persistence';
import { EventWorker } from '../../src/events/event-worker.service';
import { Exclude, Expose } from 'class-transformer';

/** A parcel that was sent. */
@Exclude()
class ParcelSent {
  @Expose() id!: number;
}

/** Handles events until it is killed: `node event-handler.program.js DATABASE_URL FILE CLAIM_MS`. Each event is a line of the file. */
async function main(databaseUrl = '', file = '', claimMs = ''): Promise<never> {
  const worker = new EventWorker(
    openDatabase(databaseUrl),
    { classes: { 'parcel.delivered': ParcelSent } },
    Number(claimMs),
  );
  worker.add({
    name: 'carrier',
    handle: async (parcel, { key }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      appendFileSync(file, `${key} ${'id' in parcel ? String(parcel.id) : ''}\n`);
    },
  });
  for (;;) await worker.handleDue();
}

void main(...process.argv.slice(2));
