import { type Code, code, functionOf } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { fallBack } from '../run/guard';
import { type ClassContext, FAILED, guardOf, type ProgramContext } from './make-context';

/** The names and expressions of a value that is converted. */
interface HeldPart {
  readonly raw: Code;
  readonly type: Code;
  /** Its conversion, whatever it is. */
  readonly whole: Code;
}

/** Generates the creation of a nested instance, or of a list of them. */
export function writePart(
  property: PropertyPlan,
  part: ClassPlan,
  { raw, type, whole }: HeldPart,
  context: ClassContext,
): Code {
  const { scope, isGuarded, tests } = context;
  const { content } = property;
  const asked = content.typeFunction ? code`${type} === ${scope.hoist(part.type)} && ` : code``;
  const takesList = content.arrayType === undefined || content.arrayType === Array;
  const list = takesList ? code`${asked}Array.isArray(${raw})` : code`false`;
  const other = isGuarded
    ? code`if (${raw} === undefined || ${raw} === null || typeof ${raw} !== 'object') final = ${guardOf(context)}(${raw}, undefined, run);
        else ${scope.hoist(fallBack, 'fallBack')}();`
    : code`final = ${whole};`;
  const isObject = code`typeof ${raw} === 'object' && ${raw} !== null && !Array.isArray(${raw})`;
  const make = code`final = ${context.makerOf(part)}(${raw}, run);`;
  const makeEach = code`final = ${context.listMakerOf(part)}(${raw}, run);`;
  return code`        if (${asked}${isObject}) ${make}
        else if (${list}) ${makeEach}
        else {
          ${other}${tests ? code`\n          if (typeof final === 'object' && final !== null) ${FAILED}` : code``}
        }`;
}

/** Generates the function that creates a list of instances. */
export function writeListMaker(plan: ClassPlan, name: Code, context: ProgramContext): Code {
  const { scope, isGuarded, conversion, tests } = context;
  const other = isGuarded
    ? code`if (typeof element === 'object' && element !== null) ${scope.hoist(fallBack, 'fallBack')}();\n      made.push(${guardOf(context)}(element, undefined, run));`
    : code`made.push(${scope.hoist(conversion.convert, 'convert')}(element, ${scope.hoist(plan.type)}, undefined, element instanceof ${scope.hoist(Map, 'Map')}, run));`;
  return functionOf(
    name,
    code`(list, run) {
${writeBudget(context)}  const made = [];
  const end = list.length;
  for (let at = 0; at < end; at++) {
    const element = list[at];
    if (typeof element === 'object' && element !== null && !Array.isArray(element)) {
      made.push(${context.makerOf(plan)}(element, run));
    } else {
      if (element === undefined && !(at in list)) continue;
      ${other}
${tests ? code`      ${FAILED}\n` : code``}    }
  }
  return made;
}`,
  );
}

/** Counts an object of untrusted input. */
export function writeBudget({ isGuarded, scope }: ProgramContext): Code {
  if (!isGuarded) return code``;
  return code`  run.left -= 1;\n  if (run.left < 0) ${scope.hoist(fallBack, 'fallBack')}();\n`;
}
