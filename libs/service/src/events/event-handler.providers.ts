import type { FactoryProvider, Type } from '@nestjs/common';
import { type EventDelivery, EventWorker } from './event-worker.service';
import type { EventData, EventName, EventSubscription } from './events';

/** A provider that handles an event. */
export type EventHandlerProvider = FactoryProvider & EventSubscription;

/**
 * Makes a provider that handles an event by a service of the application. A program delivers an event at least once, and the
 * events with a key in sequence.
 *
 * @param name the handler's name, which is stored with its events: a renamed handler does not get the events stored before
 * @param handle if it throws, the event is delivered again later
 */
export function eventHandler<Name extends EventName, Service>(
  event: Name,
  name: string,
  service: Type<Service>,
  handle: (service: Service, data: EventData[Name], delivery: EventDelivery) => Promise<void>,
): EventHandlerProvider {
  return {
    name,
    event,
    provide: `event handler ${name}`,
    inject: [EventWorker, service],
    useFactory: (worker: EventWorker, handler: Service) =>
      // The worker makes the data by the class of the event.
      worker.add({ name, handle: (data, delivery) => handle(handler, Object(data), delivery) }),
  };
}
