import './require-node';

export { type Log, type LogLevel, type Logs, makeLog, openLogs, silentLogs } from './logs/open-logs';
export { AboutService, type ProgramIdentity } from './nest/about.service';
export { createProgram, type ProgramParts, type ServiceSettings } from './nest/create-program';
export { listRoutes, type Route } from './nest/routes';
export { type ProgramPlan, runProgram } from './nest/run-program';
export { ServiceModule } from './nest/service.module';
export { turnPage } from './paging';
export { missing, NotFoundError, TakenError, unlessTaken } from './refusals';
export { givenSecretInProduction, givenTogether } from './settings/checks';
export type { Declarations, SettingsOf } from './settings/declaration';
export { SettingsError, type SettingsProblem } from './settings/errors';
export { readSettings, type SettingsCheck } from './settings/read-settings';
export { serviceSettings } from './settings/service-settings';
export { settingsPage } from './settings/settings-page';
export { CannotListenError, ManifestMissingError } from './start/errors';
export { type Manifest, readManifest } from './start/manifest';
