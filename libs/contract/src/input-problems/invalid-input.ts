import type { InputSource } from '@app/engine';
import { hasRestrictions, isHidden, shownNames } from '../audiences/accept';
import { InvalidInputError } from './errors';
import { inputProblems, type Problem } from './input-problems';

/** The most messages in a reply. The last message may state how many messages are omitted. */
const MAX_MESSAGES = 50;

/**
 * Converts pipe errors to the error that is sent; the `exceptionFactory` of our applications.
 *
 * Messages have class-validator's order and Nest's path format (`items.0.quantity must be …`). Only the first {@link
 * MAX_MESSAGES} are composed, so that a small body with many unknown fields does not cause a large reply.
 *
 * @param source the input given to the pipe, for clients that ask for places, codes and arguments
 */
export function invalidInput(violations: readonly Problem[], source?: InputSource): InvalidInputError {
  const problems = hasRestrictions() ? violations.map(withSentNames) : violations;
  const total = countMessages(problems);
  const room = total > MAX_MESSAGES ? MAX_MESSAGES - 1 : total;
  const collected: Collected = { room, message: [], details: [] };
  collect(problems, '', collected);
  if (total > room) add('', [leftOut(total - room)], '', { ...collected, room: MAX_MESSAGES });
  return new InvalidInputError(collected.message, collected.details, () =>
    inputProblems(problems, source, MAX_MESSAGES),
  );
}

/** Restores the names that `maskInput` has changed. */
function withSentNames({ property, constraints, children, ...problem }: Problem): Problem {
  const texts = Object.entries(constraints ?? {}).map(([name, text]) => [name, shownNames(text)]);
  return {
    ...problem,
    property: property && isHidden(property) ? shownNames(property) : property,
    ...(constraints && {
      constraints: property && isHidden(property) ? Object.fromEntries(texts) : constraints,
    }),
    ...(children && { children: children.map(withSentNames) }),
  };
}

/** The messages composed so far. */
interface Collected {
  /** The most messages. */
  readonly room: number;
  readonly message: string[];
  /** The same messages under the field path. */
  readonly details: { readonly field: string; readonly messages: string[] }[];
}

/** Collects messages depth first. An object's own messages precede the messages for nested objects, as in Nest. */
function collect(problems: readonly Problem[], path: string, collected: Collected): void {
  for (const { property, constraints, children } of problems) {
    if (collected.message.length === collected.room) return;
    const name = property ?? '';
    const field = path === '' ? name : `${path}.${name}`;
    if (constraints) add(field, Object.values(constraints), path, collected);
    if (children) collect(children, field, collected);
  }
}

/** @param path the path of the object with the field; empty for the root */
function add(field: string, texts: string[], path: string, { room, message, details }: Collected): void {
  const left = room - message.length;
  const kept = texts.length > left ? texts.slice(0, left) : texts;
  if (kept.length === 0) return;
  const existing = details.find((detail) => detail.field === field);
  if (existing) existing.messages.push(...kept);
  else details.push({ field, messages: kept });
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
