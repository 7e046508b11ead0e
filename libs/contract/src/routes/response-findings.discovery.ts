import { FASTIFY_ROUTE_SCHEMA_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { ClassTransformOptions } from 'class-transformer';
import {
  type Finding,
  readTransforms,
  type ResponseFinding,
  unknownGroups,
  wireClassFindings,
} from '@app/engine';
import { responseClasses, responseGroups } from '../audiences/response-classes';
import { unloadedClass } from '../input-findings/unloaded-class';
import { readAudienceGroup } from '../audiences/expose';
import { audienceFindings } from '../audiences/audience-findings';
import { responseDeclarationOf } from './returns.decorator';
import { declaredResponse, handlerOf, serializeOptionsOf } from './declared-response.discovery';
import type { DeclaredResponse } from './route-response';

/** The requirements of a program for its responses. */
export interface ResponseRequirements {
  /** Whether each route must declare its response with closed classes. */
  readonly hardened?: boolean;
}

/**
 * Returns the findings about a route's response. The codes are in `responseFaults` and `audienceFaults`.
 *
 * @param name the handler name in its controller
 */
export function responseFindings(
  controller: Function,
  name: string,
  { hardened = false }: ResponseRequirements = {},
): readonly Finding[] {
  const declared = declaredResponse(controller, name);
  const findings: Finding[] = [...contradictions(controller, name), ...bySchema(controller, name)];
  if (hardened) findings.push(...undeclared(declared), ...withoutRules(declared));
  if (declared.kind !== 'class') return findings;
  const { type, options, isOpen, otherwise } = declared;
  if (hardened) findings.push(...unknownGroups(type, ungrouped(type, options.groups)));
  const rules = { options, isHardened: hardened && !isOpen };
  const types = otherwise ? [type, otherwise.type] : [type];
  return [
    ...findings,
    ...types.flatMap((sent) => wireClassFindings(sent, rules)),
    ...types.flatMap((sent) => audienceFindings(sent, options.groups)),
    ...types.flatMap(unloadedClasses),
  ];
}

/** Returns the findings about sent members whose classes were not loaded before them. */
function unloadedClasses(type: Function): Finding[] {
  return [...responseClasses(type)].flatMap((part) => {
    const { typeOf, exposeOf } = readTransforms(part);
    const members = new Set([...typeOf.keys(), ...exposeOf.keys()]);
    return [...members].flatMap((member) => unloadedClass(part, member) ?? []);
  });
}

/** Returns the groups that no member with an audience needs. */
function ungrouped(type: Function, groups: readonly string[] = []): readonly string[] {
  const needed = new Set([...responseGroups(type)].map((name) => readAudienceGroup(name)?.group));
  return groups.filter((group) => !needed.has(group));
}

function undeclared(declared: DeclaredResponse): ResponseFinding[] {
  if (declared.kind === 'class' || declared.kind === 'anything') return [];
  if (declared.kind !== 'undeclared' && !declared.isStreamOfEvents) return [];
  const problem = declared.isStreamOfEvents
    ? 'it sends events, whose data is sent unchanged'
    : 'it does not declare its response';
  const remedy = declared.isStreamOfEvents
    ? "Declare @Returns('anything') if every caller may read all of them"
    : "Declare @Returns(Class), or @Returns('text'), 'bytes', 'nothing' or 'anything'";
  return [{ code: 'SLUICE-C201', problem, remedy }];
}

function withoutRules(declared: DeclaredResponse): ResponseFinding[] {
  if (!declared.options?.ignoreDecorators || declared.kind === 'anything') return [];
  return [
    {
      code: 'SLUICE-C205',
      problem: 'it has ignoreDecorators, which sends every field of every class',
      remedy: 'Remove ignoreDecorators',
    },
  ];
}

function bySchema(controller: Function, name: string): ResponseFinding[] {
  if (serializeOptionsOf(controller, name)?.declaration.schema === undefined) return [];
  return [
    {
      code: 'SLUICE-C209',
      problem: 'it has @SerializeOptions({ schema }), which is not supported',
      remedy: 'Declare a class with @Returns(Class)',
    },
  ];
}

function contradictions(controller: Function, name: string): ResponseFinding[] {
  const handler = handlerOf(controller, name);
  const declaration = responseDeclarationOf(handler);
  const serialize = serializeOptionsOf(controller, name);
  const [type, options]: [unknown, ClassTransformOptions] =
    typeof declaration === 'object' ? [declaration.type, declaration.options] : [undefined, {}];
  const conflicts: string[] = [];
  const schema: { readonly response?: unknown } | undefined = Reflect.getMetadata(
    FASTIFY_ROUTE_SCHEMA_METADATA,
    handler,
  );
  if (declaration !== undefined && schema?.response !== undefined)
    conflicts.push('@Returns and a response schema');
  const serializedType: unknown = serialize?.declaration.type;
  if (
    declaration !== undefined &&
    declaration !== 'anything' &&
    serializedType !== undefined &&
    serializedType !== type
  )
    conflicts.push('@Returns and @SerializeOptions');
  if (serialize?.isOwn && differ(options, serialize.declaration))
    conflicts.push('the options of @Returns and of @SerializeOptions');
  return conflicts.map((both) => ({
    code: 'SLUICE-C208',
    problem: `it has both ${both}, which contradict each other`,
    remedy: 'Keep one of them',
  }));
}

function differ(left: ClassTransformOptions, right: ClassTransformOptions): boolean {
  return Object.entries(left).some(
    ([name, value]) => name in right && JSON.stringify(value) !== JSON.stringify(Reflect.get(right, name)),
  );
}
