// First: exits under a Node that is too old to load the rest.
import './lifecycle/require-node';

export { missing, TakenError, UnknownReferenceError, unlessTaken, unlessUnknown } from './errors';
export { silentLogs } from './logs/open-logs';
export { AboutService } from './nest/about.service';
export { createProgram, makeProgram } from './nest/create-program';
export { describeRoutes } from './nest/describe-routes';
export { MetricsController } from './nest/metrics/metrics.controller';
export { describeApi, describeProblems } from './nest/docs/api-description';
export { Idempotent, IfMatch } from './nest/around/decorators';
export { ETag } from './nest/conditions/entity-tags';
export { ErrorFilter } from './nest/ingress/error.filter';
export { type ProgramPlan, runProgram } from './nest/run-program';
// Required by the specification (§1, library location).
export { ServiceModule } from './nest/service.module';
export { givenSecretInProduction, givenTogether, replicaOfPostgres } from './settings/checks';
export type { SettingsOf } from './settings/declaration';
export { readSettings } from './settings/read-settings';
export { serviceSettings } from './settings/service-settings';
export { type UploadedFile, UploadStore } from './upload/upload-store';
export { Upload } from './nest/upload/upload.decorator';
export { settingsPage } from './settings/settings-page';
