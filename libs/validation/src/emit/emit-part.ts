import { type Code, code, functionOf } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import { WHOLE } from './doubt';
import { fallBack } from './guard';
import { type ClassContext, guardOf, type ProgramContext } from './make-context';

/** The names and expressions of a value that is converted. */
interface HeldPart {
  readonly held: Code;
  readonly type: Code;
  /** Its conversion, whatever it is. */
  readonly whole: Code;
}

/** Generates the creation of a nested instance, or of a list of them, and keeps what is in doubt of it. */
export function writePart(
  property: PropertyPlan,
  part: ClassPlan,
  { held, type, whole }: HeldPart,
  context: ClassContext,
): Code {
  const { scope, isGuarded, layout, tries } = context;
  const { content } = property;
  const asked = content.typeFunction ? code`${type} === ${scope.hoist(part.type)} && ` : code``;
  const takesList = content.arrayType === undefined || content.arrayType === Array;
  const list = takesList ? code`${asked}Array.isArray(${held})` : code`false`;
  const other = isGuarded
    ? code`if (${held} === undefined || ${held} === null || typeof ${held} !== 'object') final = ${guardOf(context)}(${held}, undefined, run);
        else ${scope.hoist(fallBack, 'fallBack')}();`
    : code`final = ${whole};`;
  const isObject = code`typeof ${held} === 'object' && ${held} !== null && !Array.isArray(${held})`;
  const make = code`final = ${context.makerOf(part)}(${held}, run);`;
  const makeEach = code`final = ${context.listMakerOf(part)}(${held}, run);`;
  if (!tries)
    return code`        if (${asked}${isObject}) ${make}
        else if (${list}) ${makeEach}
        else ${other}`;
  return code`        if (${asked}${isObject}) { ${make} ${layout.keepPart(property)} }
        else if (${list}) { ${makeEach} ${layout.keepPart(property)} }
        else {
          ${other}
          if (final !== undefined) ${layout.mark(property)}
        }
        if (run.doubt !== undefined) { ${layout.markPart(property)} run.doubt = undefined; }`;
}

/** Generates the function that creates a list of instances. */
export function writeListMaker(plan: ClassPlan, name: Code, context: ProgramContext): Code {
  const { scope, isGuarded, conversion, tries } = context;
  const whole = scope.hoist(WHOLE, 'whole');
  const other = isGuarded
    ? code`if (typeof element === 'object' && element !== null) ${scope.hoist(fallBack, 'fallBack')}();\n      made.push(${guardOf(context)}(element, undefined, run));`
    : code`made.push(${scope.hoist(conversion.convert, 'convert')}(element, ${scope.hoist(plan.type)}, undefined, element instanceof ${scope.hoist(Map, 'Map')}, run));`;
  const keep = code`if (run.doubt !== undefined) {
        if (doubts === undefined) doubts = [made.length - 1, run.doubt]; else doubts.push(made.length - 1, run.doubt);
        run.doubt = undefined;
      }`;
  return functionOf(
    name,
    code`(list, run) {
${writeBudget(context)}  const made = [];
${tries ? code`  let doubts;\n` : code``}  const end = list.length;
  for (let at = 0; at < end; at++) {
    const element = list[at];
    if (typeof element === 'object' && element !== null && !Array.isArray(element)) {
      made.push(${context.makerOf(plan)}(element, run));
${tries ? code`      ${keep}\n` : code``}    } else {
      if (element === undefined && !(at in list)) continue;
      ${other}
${tries ? code`      (doubts ??= []).push(made.length - 1, ${whole});\n` : code``}    }
  }
${tries ? code`  run.doubt = doubts;\n` : code``}  return made;
}`,
  );
}

/** Counts an object of untrusted input. */
export function writeBudget({ isGuarded, scope }: ProgramContext): Code {
  if (!isGuarded) return code``;
  return code`  run.left -= 1;\n  if (run.left < 0) ${scope.hoist(fallBack, 'fallBack')}();\n`;
}
