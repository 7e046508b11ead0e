// First: it ends the process under a Node that could not load the rest.
export { oldestNode } from './require-node';
export { type Answer, type FieldProblems } from './door/answer';
export { fastifyOptions } from './door/fastify-options';
export { type DoorLimits, doorLimits, maxDepth } from './door/limits';
export type { ErrorForm } from './door/write-answer';
export { type Log, type LogLevel, type Logs, makeLog, openLogs, silentLogs } from './logs/open-logs';
export { AboutService, type ProgramIdentity } from './nest/about.service';
export { describeRoutes } from './nest/contract/describe-routes';
export { ContractError, type ContractFinding } from './contract/contract-error';
export { compareExposures, type ExposureChange } from './contract/compare-exposures';
export { contractPage } from './contract/contract-page';
export { type Audience, type Exposure, exposureOf, type RouteExposure } from './contract/exposure';
export { type RouteLine, routeLines, routesTable } from './contract/routes-table';
export { describeApi } from './nest/docs/api-description';
export { checkContract } from './nest/contract/check-contract';
export type {
  DescribedAnswer,
  RouteCallers,
  RouteDescription,
  RouteInput,
} from './contract/route-description';
export { createProgram, makeProgram, type ProgramParts, type ServiceSettings } from './nest/create-program';
export { type DoorLog, ErrorFilter } from './nest/door/error.filter';
export { installDoor } from './nest/door/install-door';
export { type ProgramPlan, runProgram } from './nest/run-program';
export { ServiceModule } from './nest/service.module';
export { missing, NotFoundError, TakenError, unlessTaken } from './refusals';
export { givenSecretInProduction, givenTogether } from './settings/checks';
export type { Declarations, SettingsOf } from './settings/declaration';
export { SettingsError, type SettingsProblem } from './settings/errors';
export { readSettings, type SettingsCheck } from './settings/read-settings';
export { serviceSettings } from './settings/service-settings';
export { settingsPage } from './settings/settings-page';
export { CannotListenError, ManifestMissingError } from './start/errors';
export { type Manifest, readManifest } from './start/manifest';
