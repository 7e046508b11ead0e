import { type InputClass, readRules, readTransforms } from '@app/engine';
import { isInputClass } from './route-parameter';

/** The classes in the `@Type` of a member, as far as they are known without a value. */
export function classesOf(type: Function, member: string): InputClass[] {
  const declared = readTransforms(type).typeOf.get(member);
  const subTypes = declared?.discriminator?.subTypes.map(({ value }) => value) ?? [];
  return [namedBy(declared?.typeFunction), ...subTypes].filter(isInputClass);
}

/** Whether the `@Type` of a member depends on the value. Its classes are then known only at run time. */
export function choosesByValue(type: Function, member: string): boolean {
  return (readTransforms(type).typeOf.get(member)?.typeFunction?.length ?? 0) > 0;
}

function namedBy(typeFunction: ((help?: unknown) => unknown) | undefined): unknown {
  return typeFunction?.length === 0 ? typeFunction() : undefined;
}

/** Returns the validation groups in a class and its nested classes. */
export function groupsOf(type: Function): Set<string> {
  return new Set(inputClasses(type).flatMap((part) => rulesOf(part).flatMap(groupsNamedBy)));
}

/** Returns a class and its nested classes. */
export function inputClasses(type: Function): readonly Function[] {
  return [...within(type, new Set())];
}

function within(type: Function, seen: Set<Function>): Set<Function> {
  if (seen.has(type)) return seen;
  seen.add(type);
  for (const name of Object.keys(readRules(type, { always: true }).byName)) {
    for (const part of classesOf(type, name)) within(part, seen);
  }
  return seen;
}

function rulesOf(type: Function): unknown[] {
  return Object.values(readRules(type, { always: true }).byName).flatMap((rules) => rules ?? []);
}

function groupsNamedBy(rule: unknown): readonly string[] {
  const { groups }: { groups?: readonly string[] } = Object(rule);
  return groups ?? [];
}
