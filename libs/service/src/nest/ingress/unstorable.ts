import type { ErrorReply, FieldProblems } from '@app/http-errors';
import { UnstorableTextError, type UnstorableValueError } from '@app/persistence';
import type { FastifyRequest } from 'fastify';

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
  const members = [body, query, params].flatMap((input) => Array.from(membersOf(input)));
  const sent = members.filter(({ value }) => error.isAbout(value));
  const found = sent.length > 0 ? sent : members.filter(({ key }) => error.isAboutColumn(key));
  if (found.length === 0) return undefined;
  const details = found.map(({ path }) => problemOf(path, error));
  return { status: 400, message: details.flatMap(({ messages }) => messages), details };
}

function problemOf(field: string, error: UnstorableValueError): FieldProblems {
  const isText = error instanceof UnstorableTextError;
  const rule = isText
    ? 'must not contain NUL characters or unpaired surrogates'
    : 'must be a value that can be stored';
  return { field, messages: [`${field} ${rule}`] };
}

interface Member {
  readonly key: string;
  /** Such as `items.0.quantity`. */
  readonly path: string;
  readonly value: unknown;
}

/** All members of an input; its depth is limited when it is read. */
function* membersOf(input: unknown, path = ''): Generator<Member> {
  if (typeof input !== 'object' || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    yield { key, path: path + key, value };
    yield* membersOf(value, `${path}${key}.`);
  }
}
