import type { FieldProblems } from '@app/http-errors';
import { InvalidInputError } from './errors';

/** The parts of class-validator's (and Nest's) `ValidationError` that a message is made from. */
export interface Problem {
  readonly property: string;
  readonly constraints?: Readonly<Record<string, string>>;
  readonly children?: readonly Problem[];
}

/** The most sentences one answer holds; the last of them may be the count of those left out. */
const MAX_MESSAGES = 50;

/**
 * Turns what a pipe found into the error a caller is answered with; the `exceptionFactory` of our applications.
 *
 * Messages stand in class-validator's order and carry their path as Nest writes it (`items.0.quantity must be …`).
 * Only the first {@link MAX_MESSAGES} are ever put together, however many there are: a small body of unknown
 * fields must not buy a large answer.
 */
export function invalidInput(problems: readonly Problem[]): InvalidInputError {
  const total = countMessages(problems);
  const room = total > MAX_MESSAGES ? MAX_MESSAGES - 1 : total;
  const told: Told = { room, message: [], fields: new Map() };
  tell(problems, '', told);
  if (total > room) tellOf('', [leftOut(total - room)], '', { ...told, room: MAX_MESSAGES });
  return new InvalidInputError(told.message, detailsOf(told));
}

/** What was put together so far. */
interface Told {
  /** How many sentences there may be. */
  readonly room: number;
  readonly message: string[];
  /** The same, under the path of the field. */
  readonly fields: Map<string, readonly string[]>;
}

/** Depth first, an object's own messages before those of what it holds: the order in which Nest lists them. */
function tell(problems: readonly Problem[], path: string, told: Told): void {
  for (const { property, constraints, children } of problems) {
    if (told.message.length === told.room) return;
    const name = property ?? '';
    const field = path === '' ? name : `${path}.${name}`;
    if (constraints) tellOf(field, Object.values(constraints), path, told);
    if (children) tell(children, field, told);
  }
}

/** @param path of the object that holds the field; empty at the top */
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
