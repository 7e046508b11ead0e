import { FASTIFY_ROUTE_SCHEMA_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { ClassTransformOptions } from 'class-transformer';
import type { AnswerFinding } from '../answer-faults';
import { unknownGroups } from '../answer-groups';
import { wireClassFindings } from '../wire-classes';
import { saidAnswer } from './answers';
import { type DeclaredAnswer, declaredAnswer, handlerOf, serializeOptionsOf } from './declared-answer';

/** How much a program wants to know of its answers before it starts. */
export interface AnswerTerms {
  /** Whether each route has to declare what it sends, by closed classes. */
  readonly hardened?: boolean;
}

/**
 * What is wrong with the answers of one route; empty when nothing is. The codes are those of `answerFaults`.
 *
 * @param name of the handler in its controller
 */
export function answerFindings(
  controller: Function,
  name: string,
  { hardened = false }: AnswerTerms = {},
): readonly AnswerFinding[] {
  const declared = declaredAnswer(controller, name);
  const found = [...twiceSaid(controller, name), ...bySchema(controller, name)];
  if (hardened) found.push(...undeclared(declared), ...withoutRules(declared));
  if (declared.kind !== 'class') return found;
  const { type, options, isOpen } = declared;
  if (hardened) found.push(...unknownGroups(type, options.groups));
  return [...found, ...wireClassFindings(type, { options, isHardened: hardened && !isOpen })];
}

function undeclared(declared: DeclaredAnswer): AnswerFinding[] {
  if (declared.kind === 'class' || declared.kind === 'anything') return [];
  if (declared.kind !== 'undeclared' && !declared.isStreamOfEvents) return [];
  const problem = declared.isStreamOfEvents
    ? 'it sends events, whose data leaves as it is'
    : 'it does not say what it answers';
  const remedy = declared.isStreamOfEvents
    ? "Say @Answers('anything') if each of them may be read by whoever calls"
    : "Say @Answers(Class), or @Answers('text'), 'bytes', 'nothing' or 'anything'";
  return [{ code: 'SLUICE-C201', problem, remedy }];
}

function withoutRules(declared: DeclaredAnswer): AnswerFinding[] {
  if (!declared.options?.ignoreDecorators || declared.kind === 'anything') return [];
  return [
    {
      code: 'SLUICE-C205',
      problem: 'it asks for ignoreDecorators, which sends every field of every class',
      remedy: 'Leave ignoreDecorators out',
    },
  ];
}

function bySchema(controller: Function, name: string): AnswerFinding[] {
  if (serializeOptionsOf(controller, name)?.said.schema === undefined) return [];
  return [
    {
      code: 'SLUICE-C209',
      problem: 'it has @SerializeOptions({ schema }), which nobody obeys here',
      remedy: 'Declare a class with @Answers(Class)',
    },
  ];
}

function twiceSaid(controller: Function, name: string): AnswerFinding[] {
  const handler = handlerOf(controller, name);
  const said = saidAnswer(handler);
  const serialize = serializeOptionsOf(controller, name);
  const [type, options]: [unknown, ClassTransformOptions] =
    typeof said === 'object' ? [said.type, said.options] : [undefined, {}];
  const found: string[] = [];
  const schema: { readonly response?: unknown } | undefined = Reflect.getMetadata(
    FASTIFY_ROUTE_SCHEMA_METADATA,
    handler,
  );
  if (said !== undefined && schema?.response !== undefined) found.push('@Answers and a response schema');
  const other: unknown = serialize?.said.type;
  if (said !== undefined && said !== 'anything' && other !== undefined && other !== type)
    found.push('@Answers and @SerializeOptions');
  if (serialize?.isOwn && differ(options, serialize.said))
    found.push('the options of @Answers and of @SerializeOptions');
  return found.map((both) => ({
    code: 'SLUICE-C208',
    problem: `it has both ${both}, and they do not say the same`,
    remedy: 'Keep one of them',
  }));
}

function differ(one: ClassTransformOptions, other: ClassTransformOptions): boolean {
  return Object.entries(one).some(
    ([name, value]) => name in other && JSON.stringify(value) !== JSON.stringify(Reflect.get(other, name)),
  );
}
