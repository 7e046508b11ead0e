import { Database } from '@app/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { EventWorker } from './event-worker.service';
import { Events } from './events';

/** Provides {@link Events} to every module, and delivers them. */
@Module({})
export class EventsModule {
  static forRoot(events: Events): DynamicModule {
    return {
      module: EventsModule,
      global: true,
      providers: [
        { provide: Events, useValue: events },
        {
          provide: EventWorker,
          inject: [Database],
          useFactory: (db: Database) => new EventWorker(db, events),
        },
      ],
      exports: [Events, EventWorker],
    };
  }
}
