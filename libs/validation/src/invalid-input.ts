import { type FieldProblems, InvalidInputError } from './errors';

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
  const message: string[] = [];
  const fields = new Map<string, string[]>();
  for (const { path, field, text } of eachMessage(problems)) {
    if (message.length === room) break;
    message.push(path === '' ? text : `${path}.${text}`);
    noteField(fields, field, text);
  }
  if (total > room) {
    message.push(leftOut(total - room));
    noteField(fields, '', leftOut(total - room));
  }
  return new InvalidInputError(message, [...fields].map(toDetail));
}

interface Message {
  /** The path of the object that holds the field; empty at the top. */
  readonly path: string;
  /** The path of the field itself. */
  readonly field: string;
  readonly text: string;
}

/** Depth first, an object's own messages before those of what it holds: the order in which Nest lists them. */
function* eachMessage(problems: readonly Problem[], path = ''): Generator<Message> {
  for (const { property, constraints, children } of problems) {
    const name = property ?? '';
    const field = path === '' ? name : `${path}.${name}`;
    for (const text of Object.values(constraints ?? {})) yield { path, field, text };
    if (children) yield* eachMessage(children, field);
  }
}

function countMessages(problems: readonly Problem[]): number {
  let count = 0;
  for (const { constraints, children } of problems) {
    count += Object.keys(constraints ?? {}).length + countMessages(children ?? []);
  }
  return count;
}

function noteField(fields: Map<string, string[]>, field: string, text: string): void {
  const messages = fields.get(field);
  if (messages) messages.push(text);
  else fields.set(field, [text]);
}

function leftOut(count: number): string {
  return `${count} more messages were left out`;
}

function toDetail([field, messages]: [string, string[]]): FieldProblems {
  return { field, messages };
}
