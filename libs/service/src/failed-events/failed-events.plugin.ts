import { definePlugin, type Plugin } from '../plugin/define.plugin';
import { FailedEventsController } from './failed-events.controller';
import { FailedEventsStore } from './failed-events.store';

/** The plugin by which administrators read, retry and discard failed events: `GET /events`. */
export function failedEvents(): Plugin<{}> {
  return definePlugin({
    name: 'failed-events',
    controllers: [FailedEventsController],
    providers: () => [FailedEventsStore],
    auditKinds: ['event-retried', 'event-discarded'],
  });
}
