// First: exits under a Node that is too old to load the rest.
import './process/require-node';
import './process/explain-circle';

export { type Command, type CommandCall } from './commands/command';
export { runCommand } from './commands/run-command';
export { missing } from '@app/http-errors';
export {
  ReferenceConflictError,
  ValueConflictError,
  UnknownReferenceError,
  unlessTaken,
  unlessUnknown,
} from './errors/errors';
export { eventHandler, type EventHandlerProvider } from './events/event-handler.providers';
export { type EventDelivery, EventWorker } from './events/event-worker.service';
export { failedEvents } from './failed-events/failed-events.plugin';
export { jobResults } from './job-results/job-results.plugin';
export { type EventData, type EventName, Events } from './events/events';
export { rateLimitChannels } from './rate-limit/channels';
export { RateCounts } from './rate-limit/rate-counts';
export type { PendingCount } from './rate-limit/rate-window';
export { silentLogs } from './logs/open-logs';
export { healthCheck, type HealthCheckProvider } from './health/health-check.providers';
export { AboutService } from './identity/about.service';
export { metricsRoute } from './metrics/metrics-route.plugin';
export { librarySchemas, schemasOf } from './schema';
export { createProgram, makeProgram } from './program/create-program.bootstrap';
export { describeModuleRoutes } from './adapter/describe-module-routes.discovery';
export { describeKinds } from './adapter/describe-kinds.discovery';
export { describeRoutes } from './contract/describe-routes.discovery';
export { describeTenantExceptions } from './contract/tenant-exceptions.discovery';
export { MetricsController } from './metrics/metrics.controller';
export { describeApi, describeProblems } from './reference/api-description.service';
export { IfMatch } from './conditions/if-match.decorator';
export { Deprecated } from './deprecation/deprecated.decorator';
export { github, stripe, type SignatureScheme, standardWebhooks } from './signatures/schemes';
export { webhookSecrets } from './signatures/signature';
export { SignedBy } from './signatures/signed-by.decorator';
export { Idempotent } from './idempotency/idempotent.decorator';
export { Transaction } from './routes/transaction.decorator';
export { ETag } from './conditions/entity-tag.decorator';
export { ErrorFilter } from './errors/error.filter';
export { definePlugin, defineResource, type Plugin, type PluginProgram } from './plugin/define.plugin';
export { defineProgram } from './program/define-program.bootstrap';
export { runProgram } from './program/run-program.bootstrap';
// Required by the specification (§1, library location).
export { ServiceModule } from './program/service.module';
export { givenTogether } from './settings/checks';
export type { SettingsOf } from '@app/settings';
export { readProgramSettings } from './program/read-program-settings';
export { readSettings } from './settings/read-settings';
export { serviceSettings } from './program/service-settings';
export { declareUpload, type FileRoute, FileRoutes } from './routes/file-routes';
export type { RouteHandler } from './routes/compile-route';
export { ForbiddenKeyError, UnknownPathError } from './http/errors';
export { isForbiddenKey } from './http/body/unsafe-json';
export { ingressLimits } from './http/limits';
export { settingsPage } from './settings/settings-page';
export { type SettingsProblem } from './settings/errors';
export { isBucketUrl, openBucket } from './buckets/open-bucket';
export { refuseUnwritable } from './settings/writable-folder';
