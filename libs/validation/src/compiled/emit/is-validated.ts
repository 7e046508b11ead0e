import type { ClassPlan, PropertyPlan } from './plan';

/** More rules than these on one property: one bit for each tells which of them failed. */
const MOST_RULES = 30;

/** Whether errors of a class can be written: contexts are for the closures. */
export function isValidated(plan: ClassPlan): boolean {
  return everyProperty(plan, (property) => {
    const rules = rulesOf(property);
    if (rules.some(({ context }) => context) || rules.length > MOST_RULES) return false;
    return (
      !rules.some(hasOwnWords) || new Set(rules.map(({ name, type }) => name ?? type)).size === rules.length
    );
  });
}

/** Whether a message of a class, or of its parts, is a function of the user. */
export function saysOwnWords(plan: ClassPlan): boolean {
  return !everyProperty(plan, (property) => !rulesOf(property).some(hasOwnWords));
}

/** Whether a class is a part of itself, at whatever distance. */
export function isRecursive(plan: ClassPlan): boolean {
  return !everyProperty(plan, ({ content }) => content.kind !== 'part' || content.part !== plan);
}

/** Whether the message is a function: it is called at the end, with the instance complete. */
export function hasOwnWords({ message }: { readonly message?: unknown }): boolean {
  return typeof message === 'function';
}

function rulesOf({ rules, defined }: PropertyPlan) {
  return [...rules.declared, ...defined.map(({ rule }) => rule.declared)];
}

function everyProperty(
  plan: ClassPlan,
  holds: (property: PropertyPlan) => boolean,
  seen = new Set<ClassPlan>(),
): boolean {
  if (seen.has(plan)) return true;
  seen.add(plan);
  return plan.properties.every(
    (property) =>
      holds(property) &&
      (property.content.kind !== 'part' || everyProperty(property.content.part, holds, seen)),
  );
}
