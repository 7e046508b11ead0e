import { definePlugin, type Plugin } from '../plugin/define.plugin';
import { JobResultsController } from './job-results.controller';

/** The plugin by which administrators read the last results of background jobs: `GET /jobs`. */
export function jobResults(): Plugin<{}> {
  return definePlugin({ name: 'job-results', controllers: [JobResultsController] });
}
