import { parametersOf, type RouteDescription } from '@app/contract';
import type { Finding } from '@app/engine';
import { entityTagRuleOf } from './entity-tag.decorator';
import { ifMatchRuleOf } from './if-match.decorator';
import { transactionPositions } from '../routes/request-transaction';

/** The facts about a program that routes with `@IfMatch()` and `@Idempotent()` depend on. */
export interface ConditionProgram {
  readonly hasDatabase: boolean;
  /** Returns whether a single instance of a controller handles all requests. */
  readonly isStatic: (controller: Function) => boolean;
}

/**
 * Finds `@IfMatch()` and `@Idempotent()` decorators that the program could not honor.
 *
 * @param routes all routes of the program
 */
export function conditionFindings(
  route: RouteDescription,
  routes: readonly RouteDescription[],
  program: ConditionProgram,
): Finding[] {
  const { controller, handler, isIdempotent, signature } = route;
  const rule = ifMatchRuleOf(Object(controller.prototype[handler]));
  if (!rule && !isIdempotent && !signature) return [];
  const decorator = rule ? '@IfMatch()' : signature ? '@SignedBy()' : '@Idempotent()';
  return [
    ...(program.hasDatabase ? [] : [withoutDatabase(decorator)]),
    ...(rule && !program.isStatic(controller) ? [requestScoped(controller)] : []),
    ...(rule ? readerFindings(route, rule.reader, routes) : []),
    ...[...new Set([handler, rule?.reader ?? handler])].flatMap((name) =>
      withoutTransaction(controller, name),
    ),
  ];
}

/** Finds handlers that do not take the request's transaction. Their writes would survive a rollback. */
function withoutTransaction({ name, prototype }: Function, handler: string): Finding[] {
  const method: unknown = prototype[handler];
  if (typeof method !== 'function' || transactionPositions.has(method)) return [];
  return [
    {
      code: 'SLUICE-C409',
      problem: `${name}.${handler} does not take the transaction of the request`,
      remedy: 'Add the parameter @Transaction() db?: Queries, and pass it to the stores',
    },
  ];
}

function withoutDatabase(decorator: string): Finding {
  return {
    code: 'SLUICE-C408',
    problem: `it has ${decorator}, and the program has no database`,
    remedy: `Import PersistenceModule.forRoot(persistenceOptions(settings)), or remove ${decorator}`,
  };
}

function requestScoped({ name }: Function): Finding {
  return {
    code: 'SLUICE-C408',
    problem: `it has @IfMatch(), and Nest makes ${name} anew for each request`,
    remedy: 'Remove the request scope of the controller and of what is injected into it',
  };
}

function readerFindings(
  { controller }: RouteDescription,
  reader: string,
  routes: readonly RouteDescription[],
): Finding[] {
  const readers = routes
    .filter((route) => route.controller === controller && isReader(route))
    .map(({ handler }) => handler);
  if (readers.includes(reader)) return classPipes(controller, reader);
  const remedy =
    readers.length > 0
      ? `Name a handler that reads the resource: ${readers.map((name) => `@IfMatch('${name}')`).join(' or ')}`
      : `Add a handler with @Get(), @ETag() and @Returns(Class) to ${controller.name} that reads the resource, and name it`;
  const problem = `its @IfMatch('${reader}') names no handler of ${controller.name} with @Get(), @ETag() and a class`;
  return [{ code: 'SLUICE-C407', problem, remedy }];
}

/** Returns whether a response's tag can be made before it is sent, from the bytes of its class or from a version. */
function isReader({ controller, handler, method, sends }: RouteDescription): boolean {
  const rule = entityTagRuleOf(Object(controller.prototype[handler]));
  return method === 'GET' && rule !== undefined && (sends === 'class' || rule.version !== undefined);
}

/** Finds pipes that are classes. Nest resolves them when it registers a route, which `@IfMatch()` bypasses. */
function classPipes(controller: Function, reader: string): Finding[] {
  const pipes = parametersOf(controller, reader).flatMap((parameter) => parameter.pipes);
  return pipes
    .filter((pipe) => typeof pipe === 'function')
    .map(({ name }) => ({
      code: 'SLUICE-C407',
      problem: `its @IfMatch('${reader}') names a handler with the pipe ${name}, which is a class`,
      remedy: `Write new ${name}() there, or take the path as a class such as ById`,
      place: { type: controller, member: reader },
    }));
}
