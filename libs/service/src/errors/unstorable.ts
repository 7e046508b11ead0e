import { type ErrorReply, type FieldProblems, type InputProblem, jsonPointer } from '@app/http-errors';
import { NullValueError, UnstorableTextError, type UnstorableValueError } from '@app/persistence';
import type { FastifyRequest } from 'fastify';
import { unstorableProblem } from '../responses/error-reply';

/** The parts of a request that a handler may store. */
type Inputs = Pick<FastifyRequest, 'body' | 'query' | 'params'>;

/**
 * The reply to a value that no database holds: it names the members of the input that have the value, or else, since a
 * transform may have made it, those with the name of the column.
 *
 * @returns `undefined` if no member is found: then the program itself made the value
 */
export function replyToUnstorable(
  error: UnstorableValueError,
  { body, query, params }: Inputs,
): ErrorReply | undefined {
  const members = [...membersOf('body', body), ...membersOf('query', query), ...membersOf('path', params)];
  const sent = members.filter(({ key, value }) => error.isAbout(value, key));
  const found = sent.length > 0 ? sent : members.filter(({ key }) => error.isAboutColumn(key));
  if (found.length === 0) return undefined;
  const details = found.map(({ path }) => problemOf(path.join('.'), error));
  return {
    status: 400,
    message: details.flatMap(({ messages }) => messages),
    details,
    problem: unstorableProblem,
    inputProblems: () => ({ listed: found.map((member) => inputProblemOf(member, error)), omitted: 0 }),
  };
}

function inputProblemOf({ in: place, path }: Member, error: UnstorableValueError): InputProblem {
  const [detail = ''] = problemOf(path.join('.'), error).messages;
  return { in: place, pointer: jsonPointer(path), code: unstorableProblem.code, params: {}, detail };
}

function problemOf(field: string, error: UnstorableValueError): FieldProblems {
  return { field, messages: [`${field} ${ruleOf(error)}`] };
}

function ruleOf(error: UnstorableValueError): string {
  if (error instanceof UnstorableTextError) return 'must not contain NUL characters or unpaired surrogates';
  return error instanceof NullValueError ? 'must not be null' : 'must be a value that can be stored';
}

interface Member {
  readonly in: InputProblem['in'];
  readonly key: string;
  /** Such as `items`, `0`, `quantity`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** All members of an input; its depth is limited when it is read. */
function* membersOf(place: Member['in'], input: unknown, above: readonly string[] = []): Generator<Member> {
  if (typeof input !== 'object' || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    const path = [...above, key];
    yield { in: place, key, path, value };
    yield* membersOf(place, value, path);
  }
}
