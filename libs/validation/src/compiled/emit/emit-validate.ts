import { type Code, code, joined, member, type Scope } from '@app/shapes';
import { GIVE_UP } from './each';
import { errorMaker } from './error-maker';
import { writeUnsent } from './exposed';
import { isRecursive, saysOwnWords } from './is-validated';
import type { ClassPlan, PropertyPlan } from './plan';
import { budget, MOST_UNKNOWN, plainType, type EmitContext } from './emit-context';
import { collectErrorsOf, given, listValidator, placesOf } from './emit-collect-errors';

/** What the functions that make one class have in common. */
interface Making {
  readonly plan: ClassPlan;
  readonly name: Code;
  /** The same for keys in any order. */
  readonly any: Code;
  /** The call that looks at the rules once the instance is there. */
  readonly find: Code;
  readonly keepsUnknown: boolean;
}

/**
 * Writes the way to the errors of a class: an instance is made of whatever came, its parts before itself, and every
 * rule looked at in class-validator's order. No code of a user runs on the way: messages that are functions are noted
 * in `later`, and asked when every instance is complete, as there.
 *
 * @returns the name of a function that is among `context.functions`; it takes a value and the list its errors go to,
 *   and gives the instance
 */
export function validateOf(plan: ClassPlan, context: EmitContext): Code {
  const known = context.judges.get(plan);
  if (known) return known;
  const { scope, judges, functions } = context;
  const isWhole = judges.size === 0;
  const name = scope.fresh(`judge${plan.type.name}`);
  judges.set(plan, name);
  const any = scope.fresh(`judge${plan.type.name}_any`);
  const find = collectErrorsOf(plan, context);
  const making = { plan, name, any, find, keepsUnknown: keepsUnknown(plan, isWhole, context) };
  functions.push(...writeOrdered(making, context), writeAny(making, context));
  return name;
}

/**
 * Whether keys without a rule stay on the instance: a whitelist takes them away, and where they are forbidden an
 * instance that has any is seen in the errors alone, if there.
 */
function keepsUnknown(plan: ClassPlan, isWhole: boolean, { settings }: EmitContext): boolean {
  if (!settings.whitelist) return true;
  if (!settings.forbidNonWhitelisted) return false;
  return !isWhole || settings.withTarget || isRecursive(plan) || saysOwnWords(plan);
}

/** Straight on for keys in the order expected, whether others stand behind them or not. */
function writeOrdered(making: Making, context: EmitContext): Code[] {
  const { plan, name, any, find } = making;
  const { scope } = context;
  const all = given(code`value`, context);
  const order = context.keyOrders.get(plan.type) ?? plan.properties.map((property) => property.name);
  const steps = order.flatMap((key) => plan.properties.find((property) => property.name === key) ?? []);
  const takesMore = steps.length === plan.properties.length;
  const rest = scope.fresh(`judge${plan.type.name}_rest`);
  const lines = steps.map(
    (property) => code`  held = ${member(code`value`, property.name)};
${writeTextGuard(context)}${writeMade(property, plan, context)}`,
  );
  const ordered = code`function ${name}(${all}) {
  let at = 0;
  for (const key in value) {
    if (${takesMore ? code`at < ${order.length} && ` : code``}key !== ${scope.hoist(order, 'order')}[at]) return ${any}(${all});
    at += 1;
  }
  if (at ${takesMore ? code`<` : code`!==`} ${order.length}) return ${any}(${all});
${writeStart(plan, context)}
${lines}
${writeUnsent(plan, order, scope)}${takesMore ? code`  if (at > ${order.length}) ${rest}(value, made, errors);\n` : code``}  ${find};
  return made;
}`;
  return takesMore ? [ordered, writeRest(making, rest, order.length, context)] : [ordered];
}

/** What stands behind all known keys has no rule. */
function writeRest(making: Making, name: Code, from: number, context: EmitContext): Code {
  return code`function ${name}(value, made, errors) {
  let at = 0;
${writeCounter(context)}  for (const key in value) {
    at += 1;
    if (at <= ${from}) continue;
    const held = value[key];
${writeTextGuard(context)}${writeUnknown(making, context)}
  }
}`;
}

function writeAny(making: Making, context: EmitContext): Code {
  const { plan, any, find } = making;
  const cases = plan.properties.map(
    (property) => code`      case ${property.name}:
${writeMade(property, plan, context)}
        break;`,
  );
  return code`function ${any}(${given(code`value`, context)}) {
${writeStart(plan, context)}
${writeCounter(context)}  for (const key in value) {
    held = value[key];
${writeTextGuard(context)}    switch (key) {
${cases}
      default:
${writeUnknown(making, context)}
    }
  }
${writeUnsent(plan, [], context.scope)}  ${find};
  return made;
}`;
}

/** Only plain objects; and a place for what is found inside each part. */
function writeStart(plan: ClassPlan, context: EmitContext): Code {
  const { scope, guardsText } = context;
  const giveUp = scope.hoist(GIVE_UP, 'giveUp');
  const left = code`${scope.hoist(budget, 'budget')}.left`;
  const count = code`  ${left} -= 1;\n  if (${left} < 0) throw ${giveUp};\n`;
  const places = joined([code`held`, ...placesOf(plan, context)], ', ');
  return code`  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null) throw ${giveUp};
${guardsText ? count : code``}  const made = new ${scope.hoist(plan.type)}();
  let ${places};`;
}

function writeCounter({ guardsText }: EmitContext): Code {
  return guardsText ? code`  let unknown = 0;\n` : code``;
}

function writeTextGuard({ guardsText, scope }: EmitContext): Code {
  if (!guardsText) return code``;
  return code`    if (typeof held === 'string' && !held.isWellFormed()) throw ${scope.hoist(GIVE_UP, 'giveUp')};\n`;
}

/** A key without a rule: in the errors where it is forbidden, and on the instance where it stays. */
function writeUnknown({ plan, keepsUnknown: keeps }: Making, context: EmitContext): Code {
  const { scope, convert, guardsText, isImplicit, settings } = context;
  const giveUp = scope.hoist(GIVE_UP, 'giveUp');
  if (isImplicit) return code`        throw ${giveUp};`;
  const members = scope.hoist(plan.type.prototype, 'members');
  const isOdd = guardsText ? code` || !key.isWellFormed() || (unknown += 1) > ${MOST_UNKNOWN}` : code``;
  const error = code`        ${errorMaker(settings, scope)}(errors, made, extra, key, undefined, { whitelistValidation: 'property ' + key + ' should not exist' });`;
  return code`        if (key === 'then' || key === 'prototype' || key in ${members}${isOdd}) throw ${giveUp};
        const extra = typeof held === 'object' ? ${scope.hoist(convert, 'convert')}(held, undefined) : held;
${[...(keeps ? [code`        made[key] = extra;`] : []), ...(settings.whitelist && settings.forbidNonWhitelisted ? [error] : [])]}`;
}

function writeMade(property: PropertyPlan, plan: ClassPlan, context: EmitContext): Code {
  const { scope, convert } = context;
  const { content } = property;
  const target = member(code`made`, property.name);
  const call = scope.hoist(convert, 'convert');
  if (content.kind === 'plain')
    return code`  ${target} = typeof held === 'object' ? ${call}(held, ${plainType(content, scope)}) : held;`;
  if (content.kind === 'read') return code`  ${target} = ${scope.hoist(content.read, 'read')}(held);`;
  if (content.kind === 'part') return writePart(property, plan, context);
  const guard = writeTypeGuard(content.typeFunction, content.type, scope);
  const arrayType = content.arrayType === undefined ? code`undefined` : scope.hoist(content.arrayType);
  return code`${guard}  ${target} = ${call}(held, ${scope.hoist(content.type)}, Array.isArray(held) ? ${arrayType} : undefined);`;
}

/** An object becomes an instance, a list a list of them; what is neither stays what it is. */
function writePart(property: PropertyPlan, plan: ClassPlan, context: EmitContext): Code {
  const { scope } = context;
  const { content } = property;
  if (content.kind !== 'part') return code``;
  const guard = writeTypeGuard(content.typeFunction, content.part.type, scope);
  const at = plan.properties.indexOf(property);
  const places = context.asksLater ? code`inside${at} = [], later${at} = []` : code`inside${at} = []`;
  const judge = validateOf(content.part, context);
  const list = content.takesList
    ? code`${listValidator(property, judge, context)}(held, ${places})`
    : code`${scope.hoist(giveUpHere, 'giveUpHere')}()`;
  return code`${guard}  ${member(code`made`, property.name)} = Array.isArray(held) ? ${list}
    : typeof held === 'object' && held !== null ? ${judge}(held, ${places})
    : typeof held === 'function' ? ${scope.hoist(giveUpHere, 'giveUpHere')}() : held;`;
}

/** The class is asked for each time, as class-transformer does, for it may be another by now. */
function writeTypeGuard(typeFunction: (() => unknown) | undefined, type: Function, scope: Scope): Code {
  if (!typeFunction) return code``;
  return code`  if (${scope.hoist(typeFunction, 'typeOf')}() !== ${scope.hoist(type)}) throw ${scope.hoist(GIVE_UP, 'giveUp')};\n`;
}

function giveUpHere(): never {
  throw GIVE_UP;
}
