import { findAuthOptions, hasOtherGuards } from '@app/auth';
import { ContractError, type ContractFinding, type RouteDescription } from '@app/contract';
import { Database } from '@app/persistence';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { conditionFindings } from '../conditions/condition-findings.discovery';
import { contractFindings } from './contract-findings';
import { listFindings } from './list-findings';
import { describeRoutes } from './describe-routes.discovery';
import { controllerMethods } from '../routes/controller-methods.discovery';
import { getOptional } from '../routes/get-optional.discovery';

/**
 * Aborts the start of a program with routes that do not declare their input, their response, or who may call them. All faults
 * are reported at once. `docs/reference/contract.md` lists the codes.
 *
 * @param app the program, after `NestFactory.create` and before it handles requests
 * @throws ContractError
 */
export function checkContract(app: INestApplicationContext): void {
  const routes = describeRoutes(app);
  const methods = [...controllerMethods(app.get(ModulesContainer)).values()];
  const wrapping = {
    hasDatabase: getOptional(app, Database) !== undefined,
    isStatic: (controller: Function) =>
      methods.every((method) => method.controller !== controller || method.isStatic),
  };
  const program = {
    auth: findAuthOptions(app),
    hasOtherGuards: hasOtherGuards(app.get(ApplicationConfig, { strict: false })),
    conditionsOf: (route: RouteDescription) => conditionFindings(route, routes, wrapping),
  };
  refuse(routes, contractFindings(routes, program));
}

/**
 * Aborts the start of a program that sorts or filters lists without an index.
 *
 * @param app the initialized program, so that its database is migrated
 * @throws ContractError
 */
export async function checkLists(app: INestApplicationContext): Promise<void> {
  const db = getOptional(app, Database);
  if (db === undefined) return;
  const routes = describeRoutes(app);
  refuse(routes, await listFindings(routes, db));
}

function refuse(routes: readonly RouteDescription[], findings: readonly ContractFinding[]): void {
  const [first] = routes;
  if (first && findings.length > 0) throw new ContractError(first.application, findings);
}
