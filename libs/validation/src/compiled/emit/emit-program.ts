import { assemble, type Assembled, type Code, code, Scope } from '@app/shapes';
import type { ClassPlan } from './plan';
import { budget, type Check, MOST_OBJECTS, type Order, type EmitContext } from './emit-context';
import { isValidated, saysOwnWords } from './is-validated';
import { askLater } from './deferred';
import { validateOf } from './emit-validate';
import { readerOf } from './emit-reader';

/** A check, and what was written for it. */
export interface Written {
  readonly check: Check;
  /** Both programs, to be read; they are written again for it, so that nobody need keep them. */
  source(): string;
}

/**
 * Writes the check of a class: one pass over what is valid, then, for what is not, an instance and a look at every
 * rule in class-validator's order. The second program is written when the first value fails.
 *
 * Neither changes anything it was given, so what both give up on is judged anew by `order.exact`.
 *
 * @param planAnew the plan is asked for whenever a program is written, so that none is kept between
 */
export function writeProgram(planAnew: () => ClassPlan, order: Order): Written {
  const plan = planAnew();
  const rest = isValidated(plan) ? validateDeferred(planAnew, order) : order.exact;
  const check = writeReading(plan, { ...order, exact: rest }).made;
  return { check, source: () => sourceOf(planAnew(), order) };
}

function validateDeferred(planAnew: () => ClassPlan, order: Order): Check {
  let judge: Check | undefined;
  return (value) => {
    judge ??= emitValidation(planAnew(), order).made;
    return judge(value);
  };
}

function sourceOf(plan: ClassPlan, order: Order): string {
  const { source } = writeReading(plan, order);
  return isValidated(plan) ? `${source}\n${emitValidation(plan, order).source}` : source;
}

function writeReading(plan: ClassPlan, order: Order): Assembled<Check> {
  const context = openWorkshop(plan, order);
  const reader = readerOf(plan, context);
  const rest = context.scope.hoist(order.exact, 'rest');
  return finish(
    `read ${plan.type.name}`,
    context,
    isValidated(plan) ? guessing(reader, rest) : trying(reader, rest),
  );
}

/** What follows an invalid value is judged at once: who sends one often sends another, and judging tells either. */
function guessing(reader: Code, rest: Code): Code {
  return code`let isDoubted = false;
return function check(value) {
  if (typeof value !== 'object' || value === null) return ${rest}(value);
  if (!isDoubted) {
    try {
      const made = ${reader}(value);
      if (made !== undefined) return { value: made };
    } catch {}
  }
  const answer = ${rest}(value);
  isDoubted = answer !== undefined && answer.errors !== undefined;
  return answer;
};`;
}

function trying(reader: Code, rest: Code): Code {
  return code`return function check(value) {
  if (typeof value !== 'object' || value === null) return ${rest}(value);
  let made;
  try {
    made = ${reader}(value);
  } catch {
    return ${rest}(value);
  }
  return made === undefined ? ${rest}(value) : { value: made };
};`;
}

function emitValidation(plan: ClassPlan, order: Order): Assembled<Check> {
  const context = openWorkshop(plan, order);
  const judge = validateOf(plan, context);
  const exact = context.scope.hoist(order.exact, 'exact');
  const left = code`${context.scope.hoist(budget, 'budget')}.left`;
  const restart = order.guardsText ? code`  ${left} = ${MOST_OBJECTS};\n` : code``;
  const asks = context.asksLater;
  return finish(
    `judge ${plan.type.name}`,
    context,
    code`return function judge(value) {
  if (typeof value !== 'object' || value === null) return ${exact}(value);
${restart}  try {
    const errors = [];
${asks ? code`    const later = [];\n` : code``}    const made = ${judge}(value, errors${asks ? code`, later` : code``});
${asks ? code`    ${context.scope.hoist(askLater, 'askLater')}(later);\n` : code``}    return errors.length === 0 ? { value: made } : { errors };
  } catch {
    return ${exact}(value);
  }
};`,
  );
}

function finish(name: string, context: EmitContext, last: Code): Assembled<Check> {
  return assemble(name, code`${[...context.functions, last]}`, context.scope);
}

function openWorkshop(plan: ClassPlan, order: Order): EmitContext {
  const { settings, options } = order;
  const isImplicit = Boolean(options?.enableImplicitConversion);
  const isForbidden = settings.whitelist && settings.forbidNonWhitelisted;
  return {
    ...order,
    scope: new Scope(),
    isImplicit,
    copiesUnknown: !isForbidden && !isImplicit && !order.guardsText,
    readers: new Map(),
    lists: new Map(),
    asksLater: saysOwnWords(plan),
    judges: new Map(),
    listJudges: new Map(),
    functions: [],
  };
}
