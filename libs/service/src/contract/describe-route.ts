import { routeRules, takesCaller } from '@app/auth';
import {
  declaredRate,
  type DeclaredResponse,
  declaredResponse,
  type DescribedResponse,
  parametersOf,
  type RouteCallers,
  type RouteDescription,
  type RouteInput,
  type RouteParameter,
  type UploadRule,
} from '@app/contract';
import { pagedClass } from '@app/paging';

const [ok, created] = [200, 201];

/** The facts that all routes of a program share. */
export interface ProgramContext {
  readonly application: string;
  /** The names of the program's strategies. The default strategy comes first. */
  readonly strategies: readonly string[];
  /** The strategies that can restrict their callers to scopes. */
  readonly scopedStrategies: readonly string[];
  /** Whether the program removes the unknown members of every body. */
  readonly stripsUnknown: boolean;
}

/** A handler as the framework registers it. */
export interface DeclaredHandler {
  readonly controller: Function;
  readonly name: string;
  readonly handler: (...args: never[]) => unknown;
  /** The HTTP method, such as `POST`. */
  readonly method: string;
  readonly paths: readonly string[];
  /** The handler's versions. Absent if versions are part of paths. */
  readonly versions?: readonly string[];
  /** The status that the handler declares, if any. */
  readonly status?: number;
  /** The media type that the handler declares, if any. */
  readonly mediaType?: string;
  /** The upload rule. Present only if the handler accepts files. */
  readonly upload?: UploadRule;
  readonly isIdempotent: boolean;
  readonly hasEntityTag: boolean;
  readonly ifMatch: RouteDescription['ifMatch'];
  readonly deprecation: RouteDescription['deprecation'];
  readonly signature?: RouteDescription['signature'];
}

/** Describes a handler by its decorators, once for each path. */
export function describeRoute(declared: DeclaredHandler, program: ProgramContext): RouteDescription[] {
  const { controller, name, handler, method, paths, status, mediaType, upload, isIdempotent } = declared;
  const versions = declared.versions?.filter((version, _at, all) => version !== 'neutral' || all.length > 1);
  const inputs = parametersOf(controller, name).filter(({ field }) => field === undefined);
  const response = declaredResponse(controller, name);
  const described = {
    application: program.application,
    method,
    controller,
    handler: name,
    ...(versions && versions.length > 0 && { versions }),
    callers: callersOf(declared, program),
    body: inputOf(inputs, 'body', program.stripsUnknown),
    query: inputOf(inputs, 'query'),
    params: inputOf(inputs, 'path'),
    ...(upload && { upload }),
    ...(isIdempotent && { isIdempotent }),
    ...(declared.hasEntityTag && { hasEntityTag: true }),
    ...(declared.ifMatch && { ifMatch: declared.ifMatch }),
    ...(declared.signature && { signature: declared.signature }),
    ...(declared.deprecation && { deprecation: declared.deprecation }),
    response: responseOf(response),
    sends: response.kind,
    rate: declaredRate(handler, controller),
    status: status ?? (method === 'POST' ? created : ok),
    mediaTypes: mediaTypesOf(response, mediaType),
  };
  return paths.map((path) => Object.assign({ path }, described));
}

function callersOf({ controller, name, handler }: DeclaredHandler, program: ProgramContext): RouteCallers {
  const rules = routeRules(handler, controller);
  const { isPublic, caller, strategies: named, roles, facets, scopes, isBeforePasswordChange } = rules;
  const isOwn = takesCaller(controller, name);
  const strategies = caller === 'none' ? [] : (named ?? program.strategies.slice(0, 1));
  const scoped = strategies.filter((strategy) => program.scopedStrategies.includes(strategy));
  return {
    isPublic,
    strategies,
    roles,
    facets,
    ...(isBeforePasswordChange && { isBeforePasswordChange }),
    ...(scoped.length > 0 && { scopes: { needed: scopes, strategies: scoped } }),
    isOwn,
  };
}

function inputOf(
  parameters: readonly RouteParameter[],
  place: RouteParameter['from'],
  stripsUnknown?: boolean,
): RouteInput | undefined {
  const parameter = parameters.find(({ from, type }) => from === place && type !== undefined);
  if (parameter?.type === undefined) return undefined;
  const isOpen = stripsUnknown === true || parameter.stripsUnknown;
  return { type: parameter.type, groups: parameter.groups, ...(isOpen && { stripsUnknown: true }) };
}

function responseOf(declared: DeclaredResponse): DescribedResponse | undefined {
  if (declared.kind !== 'class') return undefined;
  const { type: body, isList, options, otherwise } = declared;
  const item = pagedClass(body);
  return {
    type: item ?? body,
    shape: item ? 'page' : isList ? 'list' : 'one',
    body,
    groups: options.groups ?? [],
    options,
    version: options.version,
    ...(otherwise && { otherwise }),
  };
}

function mediaTypesOf(response: DeclaredResponse, declared: string | undefined): readonly string[] {
  if ('mediaTypes' in response && response.mediaTypes) return response.mediaTypes;
  return declared === undefined ? defaultMediaTypes[response.kind] : [declared];
}

/** The media types that the framework sends by default. */
const defaultMediaTypes: Readonly<Record<DeclaredResponse['kind'], readonly string[]>> = {
  class: ['application/json; charset=utf-8'],
  anything: ['application/json; charset=utf-8'],
  undeclared: ['application/json; charset=utf-8'],
  text: ['text/plain; charset=utf-8'],
  bytes: ['application/octet-stream'],
  nothing: [],
};
