import { findAuthOptions, hasOtherGuards } from '@app/auth';
import { ContractError } from '@app/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { contractFindings } from '../route/contract-findings';
import { describeRoutes } from './describe-routes';

/**
 * Aborts the start of a program whose routes do not declare what they accept, what they send, or who may call them. All
 * faults are reported at once; `docs/reference/contract.md` lists the codes.
 *
 * @param app any time after `NestFactory.create`, before it handles requests
 * @throws ContractError
 */
export function checkContract(app: INestApplicationContext): void {
  const routes = describeRoutes(app);
  const config: unknown = Reflect.get(app, 'config');
  const program = {
    auth: findAuthOptions(app),
    hasOtherGuards: config instanceof ApplicationConfig && hasOtherGuards(config),
  };
  const findings = contractFindings(routes, program);
  const [first] = routes;
  if (first && findings.length > 0) throw new ContractError(first.application, [...findings]);
}
