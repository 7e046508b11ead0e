import type { FieldProblems } from '@app/http-errors';
import { InvalidInputError } from './errors';

/** The properties of class-validator's (and Nest's) `ValidationError` that messages are made from. */
export interface Problem {
  readonly property: string;
  readonly constraints?: Readonly<Record<string, string>>;
  readonly children?: readonly Problem[];
}

/** The maximum number of messages of a reply; the last one may be the number of the others. */
const MAX_MESSAGES = 50;

/**
 * Converts the errors of a pipe to the error of the reply; the `exceptionFactory` of our applications.
 *
 * Messages have class-validator's order and the path as Nest writes it (`items.0.quantity must be …`). Only the first
 * {@link MAX_MESSAGES} are composed, however many there are: a small body of unknown fields must not cause a large
 * reply.
 */
export function invalidInput(problems: readonly Problem[]): InvalidInputError {
  const total = countMessages(problems);
  const room = total > MAX_MESSAGES ? MAX_MESSAGES - 1 : total;
  const told: Told = { room, message: [], fields: new Map() };
  tell(problems, '', told);
  if (total > room) tellOf('', [leftOut(total - room)], '', { ...told, room: MAX_MESSAGES });
  return new InvalidInputError(told.message, detailsOf(told));
}

/** The messages composed so far. */
interface Told {
  /** The maximum number of messages. */
  readonly room: number;
  readonly message: string[];
  /** The same, under the path of the field. */
  readonly fields: Map<string, readonly string[]>;
}

/** Depth first, an object's own messages before those of nested objects: Nest's order. */
function tell(problems: readonly Problem[], path: string, told: Told): void {
  for (const { property, constraints, children } of problems) {
    if (told.message.length === told.room) return;
    const name = property ?? '';
    const field = path === '' ? name : `${path}.${name}`;
    if (constraints) tellOf(field, Object.values(constraints), path, told);
    if (children) tell(children, field, told);
  }
}

/** @param path of the object with the field; empty for the root */
function tellOf(
  field: string,
  texts: readonly string[],
  path: string,
  { room, message, fields }: Told,
): void {
  const left = room - message.length;
  const kept = texts.length > left ? texts.slice(0, left) : texts;
  if (kept.length === 0) return;
  const known = fields.get(field);
  fields.set(field, known ? [...known, ...kept] : kept);
  for (const text of kept) message.push(path === '' ? text : `${path}.${text}`);
}

function countMessages(problems: readonly Problem[]): number {
  let count = 0;
  for (const { constraints, children } of problems) {
    if (constraints) count += Object.keys(constraints).length;
    if (children) count += countMessages(children);
  }
  return count;
}

function leftOut(count: number): string {
  return `${count} more messages were left out`;
}

function detailsOf({ fields }: Told): FieldProblems[] {
  const details: FieldProblems[] = [];
  for (const [field, messages] of fields) details.push({ field, messages });
  return details;
}
