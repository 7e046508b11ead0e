import { type ErrorReply, type FieldProblems, type InputProblem, jsonPointer } from '@app/http-errors';
import { NullValueError, UnstorableTextError, type UnstorableValueError } from '@app/persistence';
import type { FastifyRequest } from 'fastify';
import { unstorableProblem } from '../responses/error-reply';

/** The request parts that a handler may store. */
type Inputs = Pick<FastifyRequest, 'body' | 'query' | 'params'>;

/**
 * Returns the reply to a value that the database cannot store. The reply names the input members that have the value. If a
 * transform may have made the value, it names the members with the column's name.
 *
 * @returns `undefined` if the program itself made the value, so that the input lacks such a member
 */
export function replyToUnstorable(
  error: UnstorableValueError,
  { body, query, params }: Inputs,
): ErrorReply | undefined {
  const members = [...membersOf('body', body), ...membersOf('query', query), ...membersOf('path', params)];
  const sent = members.filter(({ key, value }) => error.isAbout(value, key));
  const affected = sent.length > 0 ? sent : members.filter(({ key }) => error.isAboutColumn(key));
  if (affected.length === 0) return undefined;
  const details = affected.map(({ path }) => problemOf(path.join('.'), error));
  return {
    status: 400,
    message: details.flatMap(({ messages }) => messages),
    details,
    problem: unstorableProblem,
    inputProblems: () => ({ listed: affected.map((member) => inputProblemOf(member, error)), omitted: 0 }),
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
  /** The member's path, such as `items`, `0`, `quantity`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Yields all members of an input. The body parser has already limited the depth. */
function* membersOf(place: Member['in'], input: unknown, above: readonly string[] = []): Generator<Member> {
  if (typeof input !== 'object' || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    const path = [...above, key];
    yield { in: place, key, path, value };
    yield* membersOf(place, value, path);
  }
}
