import { assemble, type Assembled, code, Scope } from '@app/shapes';
import type { ClassPlan } from './plan';
import type { Check, Order, Workshop } from './workshop';
import { isJudged, judgeOf } from './write-judge';
import { readerOf } from './write-reader';

/**
 * Writes the check of a class: one pass over what is valid, then, for what is not, an instance and a look at every
 * rule in class-validator's order.
 *
 * Neither changes anything it was given, so what both give up on is judged anew by `exact`.
 */
export function writeProgram(plan: ClassPlan, order: Order): Assembled<Check> {
  const workshop = openWorkshop(order);
  const reader = readerOf(plan, workshop);
  const exact = workshop.scope.hoist(order.exact, 'exact');
  const rest = isJudged(plan) ? writeJudgement(plan, workshop) : code`  return ${exact}(value);`;
  const body = code`${workshop.functions}
return function check(value) {
  if (typeof value !== 'object' || value === null) return ${exact}(value);
  try {
    const made = ${reader}(value);
    if (made !== undefined) return { value: made };
  } catch {
    return ${exact}(value);
  }
${rest}
};`;
  return assemble(`check ${plan.type.name}`, body, workshop.scope);
}

function openWorkshop(order: Order): Workshop {
  const { settings, options } = order;
  const isImplicit = Boolean(options?.enableImplicitConversion);
  return {
    ...order,
    scope: new Scope(),
    isImplicit,
    copiesUnknown: !(settings.whitelist && settings.forbidNonWhitelisted) && !isImplicit && !order.guardsText,
    readers: new Map(),
    lists: new Map(),
    judges: new Map(),
    functions: [],
  };
}

function writeJudgement(plan: ClassPlan, workshop: Workshop) {
  const { make, find } = judgeOf(plan, workshop);
  return code`  try {
    const made = ${make}(value);
    const errors = [];
    ${find}(made, errors);
    return errors.length === 0 ? { value: made } : { errors };
  } catch {
    return ${workshop.scope.hoist(workshop.exact)}(value);
  }`;
}
