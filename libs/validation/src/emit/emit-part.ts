import { type Code, code } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { isOrdinary } from './convert';
import { WHOLE } from './doubt';
import { fallBack } from './guard';
import { type ClassContext, guardOf, type ProgramContext } from './make-context';

/** Generates the creation of a nested instance, or of a list of them, and keeps what is in doubt of it. */
export function writePart(
  property: PropertyPlan,
  held: Code,
  type: Code,
  whole: Code,
  context: ClassContext,
): Code {
  const { scope, isGuarded, layout } = context;
  const { content } = property;
  const expected = content.type as Function;
  const part = context.planner.planOf(expected);
  const asked = content.typeFunction ? code`${type} === ${scope.hoist(expected)} && ` : code``;
  const takesList = content.arrayType === undefined || content.arrayType === Array;
  const list = takesList ? code`${asked}Array.isArray(${held})` : code`false`;
  const other = isGuarded
    ? code`if (${held} === undefined || ${held} === null || typeof ${held} !== 'object') final = ${guardOf(context)}(${held}, undefined, run);
        else ${scope.hoist(fallBack, 'fallBack')}();`
    : code`final = ${whole};`;
  const isObject = code`typeof ${held} === 'object' && ${held} !== null && !Array.isArray(${held})${writeIsOrdinary(held, context)}`;
  return code`        if (${asked}${isObject}) { final = ${context.makerOf(part)}(${held}, run); ${layout.keepPart(property)} }
        else if (${list}) { final = ${context.listMakerOf(part)}(${held}, run); ${layout.keepPart(property)} }
        else {
          ${other}
          if (final !== undefined) ${layout.mark(property)}
        }
        if (run.doubt !== undefined) { ${layout.markPart(property)} run.doubt = undefined; }`;
}

/** Generates the function that creates a list of instances. */
export function writeListMaker(plan: ClassPlan, name: Code, context: ProgramContext): Code {
  const { scope, isGuarded, conversion } = context;
  const whole = scope.hoist(WHOLE, 'whole');
  const other = isGuarded
    ? code`if (typeof element === 'object' && element !== null) ${scope.hoist(fallBack, 'fallBack')}();\n      made.push(${guardOf(context)}(element, undefined, run));`
    : code`made.push(${scope.hoist(conversion.convert, 'convert')}(element, ${scope.hoist(plan.type)}, undefined, element instanceof ${scope.hoist(Map, 'Map')}, run));`;
  return code`function ${name}(list, run) {
${writeBudget(context)}  const made = [];
  let doubts;
  const end = list.length;
  for (let at = 0; at < end; at++) {
    const element = list[at];
    if (typeof element === 'object' && element !== null && !Array.isArray(element)${writeIsOrdinary(code`element`, context)}) {
      made.push(${context.makerOf(plan)}(element, run));
      if (run.doubt !== undefined) {
        (doubts ??= []).push([made.length - 1, run.doubt]);
        run.doubt = undefined;
      }
    } else {
      if (element === undefined && !(at in list)) continue;
      ${other}
      (doubts ??= []).push([made.length - 1, ${whole}]);
    }
  }
  run.doubt = doubts;
  return made;
}`;
}

/** Untrusted input has no objects of other kinds, as its prototype is tested. */
function writeIsOrdinary(value: Code, { isGuarded, scope }: ProgramContext): Code {
  return isGuarded ? code`` : code` && ${scope.hoist(isOrdinary, 'isOrdinary')}(${value}, undefined)`;
}

/** Counts an object of untrusted input. */
export function writeBudget({ isGuarded, scope }: ProgramContext): Code {
  if (!isGuarded) return code``;
  return code`  run.left -= 1;\n  if (run.left < 0) ${scope.hoist(fallBack, 'fallBack')}();\n`;
}
