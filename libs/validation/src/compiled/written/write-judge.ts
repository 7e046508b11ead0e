import { type Code, code, joined, member, type Scope } from '@app/shapes';
import { constraintName } from '../instance/leaf';
import type { Settings } from '../settings';
import { eachIsJudged, GIVE_UP } from './each';
import type { ClassPlan, PlannedRule, PropertyPlan } from './plan';
import { type Sentence, sentenceOf } from './sentence';
import { errorMaker } from './error-maker';
import { budget, MOST_UNKNOWN, type Workshop } from './workshop';

/** The functions that judge one class: one makes an instance of anything, the other finds what is wrong with it. */
interface Judge {
  readonly make: Code;
  readonly find: Code;
}

/**
 * Writes the way to the errors of a class: make the instance without a look at the rules, then look at all of them in
 * class-validator's order. No code of a user runs on the way but messages that are functions.
 *
 * @returns names of functions that are among `workshop.functions`
 */
export function judgeOf(plan: ClassPlan, workshop: Workshop): Judge {
  const known = workshop.judges.get(plan);
  if (known) return known;
  const { scope } = workshop;
  const judge: Judge = {
    make: scope.fresh(`make${plan.type.name}`),
    find: scope.fresh(`errorsIn${plan.type.name}`),
  };
  workshop.judges.set(plan, judge);
  workshop.functions.push(...writeMake(plan, judge, workshop), writeFind(plan, judge, workshop));
  return judge;
}

/** Whether errors of a class can be written: contexts are for the closures. */
export function isJudged(plan: ClassPlan, seen = new Set<ClassPlan>()): boolean {
  if (seen.has(plan)) return true;
  seen.add(plan);
  return plan.properties.every(({ rules, content, defined }) => {
    const declared = [...rules.declared, ...defined.map(({ rule }) => rule.declared)];
    return (
      declared.every(({ context }) => !context) && (content.kind !== 'part' || isJudged(content.part, seen))
    );
  });
}

/** Straight on for keys in the order expected, as the first pass does it; by the names for any other. */
function writeMake(plan: ClassPlan, judge: Judge, workshop: Workshop): Code[] {
  const { scope } = workshop;
  const any = scope.fresh(`make${plan.type.name}_any`);
  const order = workshop.keyOrders.get(plan.type) ?? plan.properties.map(({ name }) => name);
  const known = new Map(plan.properties.map((property) => [property.name, property]));
  const steps = order.flatMap((name) => known.get(name) ?? []);
  const lines = steps.map(
    (property) => code`  held = ${member(code`value`, property.name)};
${writeTextGuard(workshop)}  ${member(code`made`, property.name)} = ${writeMade(property, workshop)};`,
  );
  const ordered = code`function ${judge.make}(value) {
  let at = 0;
  for (const key in value) {
    if (key !== ${scope.hoist(order, 'order')}[at]) return ${any}(value);
    at += 1;
  }
  if (at !== ${order.length}) return ${any}(value);
${writePrototypeCheck(scope)}
${writeBudget(workshop)}  const made = new ${scope.hoist(plan.type)}();
  let held;
${lines}
  return made;
}`;
  return [ordered, writeMakeAny(plan, any, workshop)];
}

function writeBudget({ guardsText, scope }: Workshop): Code {
  if (!guardsText) return code``;
  const left = code`${scope.hoist(budget, 'budget')}.left`;
  return code`  ${left} -= 1;
  if (${left} < 0) throw ${scope.hoist(GIVE_UP, 'giveUp')};
`;
}

function writePrototypeCheck(scope: Scope): Code {
  const giveUp = scope.hoist(GIVE_UP, 'giveUp');
  return code`  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null) throw ${giveUp};`;
}

function writeMakeAny(plan: ClassPlan, name: Code, workshop: Workshop): Code {
  const { scope } = workshop;
  const cases = plan.properties.map(
    (property) => code`      case ${property.name}:
        ${member(code`made`, property.name)} = ${writeMade(property, workshop)};
        break;`,
  );
  return code`function ${name}(value) {
${writePrototypeCheck(scope)}
${writeBudget(workshop)}  const made = new ${scope.hoist(plan.type)}();
${workshop.guardsText ? code`  let unknown = 0;\n` : code``}  for (const key in value) {
    const held = value[key];
${writeTextGuard(workshop)}    switch (key) {
${cases}
      default:
${writeUnknown(plan, workshop)}
    }
  }
  return made;
}`;
}

function writeUnknown(plan: ClassPlan, workshop: Workshop): Code {
  const { scope, convert, guardsText, isImplicit } = workshop;
  const giveUp = scope.hoist(GIVE_UP, 'giveUp');
  if (isImplicit) return code`        throw ${giveUp};`;
  const members = scope.hoist(plan.type.prototype, 'members');
  const isOdd = guardsText ? code` || !key.isWellFormed() || (unknown += 1) > ${MOST_UNKNOWN}` : code``;
  return code`        if (key === 'then' || key === 'prototype' || key in ${members}${isOdd}) throw ${giveUp};
        made[key] = typeof held === 'object' ? ${scope.hoist(convert, 'convert')}(held, undefined) : held;`;
}

function writeTextGuard({ guardsText, scope }: Workshop): Code {
  if (!guardsText) return code``;
  return code`    if (typeof held === 'string' && !held.isWellFormed()) throw ${scope.hoist(GIVE_UP, 'giveUp')};
`;
}

function writeMade({ content }: PropertyPlan, workshop: Workshop): Code {
  const { scope, convert } = workshop;
  const call = scope.hoist(convert, 'convert');
  if (content.kind === 'plain') return code`typeof held === 'object' ? ${call}(held, undefined) : held`;
  const type = content.kind === 'part' ? content.part.type : content.type;
  const told = content.typeFunction
    ? code`${scope.hoist(sameType, 'sameType')}(${scope.hoist(content.typeFunction, 'typeOf')}, ${scope.hoist(type)})`
    : scope.hoist(type);
  if (content.kind === 'part') {
    const maker = scope.hoist(makePart, 'makePart');
    return code`${maker}(held, ${told}, ${judgeOf(content.part, workshop).make}, ${content.takesList})`;
  }
  const arrayType = content.arrayType === undefined ? code`undefined` : scope.hoist(content.arrayType);
  return code`${call}(held, ${told}, Array.isArray(held) ? ${arrayType} : undefined)`;
}

function sameType(typeFunction: () => unknown, type: unknown): unknown {
  if (typeFunction() !== type) throw GIVE_UP;
  return type;
}

/** An object becomes an instance, a list a list of them; what is neither stays what it is. */
function makePart(held: unknown, _: unknown, make: (value: object) => object, takesList: boolean): unknown {
  if (typeof held === 'function') throw GIVE_UP;
  if (typeof held !== 'object' || held === null) return held;
  if (!Array.isArray(held)) return make(held);
  if (!takesList) throw GIVE_UP;
  budget.left -= 1;
  const made: unknown[] = [];
  for (let at = 0; at < held.length; at++) {
    const element: unknown = held[at];
    if (Array.isArray(element) || typeof element === 'function' || !(at in held)) throw GIVE_UP;
    made.push(typeof element === 'object' && element !== null ? make(element) : element);
  }
  return made;
}

function writeFind(plan: ClassPlan, judge: Judge, workshop: Workshop): Code {
  const properties = plan.properties.map((property) => writeProperty(property, workshop));
  return code`function ${judge.find}(made, errors) {
${writeWhitelist(plan, workshop)}
${properties}
}`;
}

/** Every key of an instance came through `make`, so that none has the name of a member. */
function writeWhitelist(plan: ClassPlan, { settings, scope }: Workshop): Code[] {
  if (!settings.whitelist) return [];
  const cases = plan.properties.map(({ name }) => code`case ${name}: `);
  const unknown = settings.forbidNonWhitelisted
    ? code`${errorMaker(settings, scope)}(errors, made, made[key], key, undefined, { whitelistValidation: 'property ' + key + ' should not exist' });`
    : code`delete made[key];`;
  return [
    code`  for (const key of Object.keys(made)) {
    switch (key) {
      ${joinedCases(cases)}break;
      default: ${unknown}
    }
  }`,
  ];
}

function joinedCases(cases: readonly Code[]): Code {
  return joined(cases, '\n');
}

function writeProperty(property: PropertyPlan, workshop: Workshop): Code {
  const { settings, scope } = workshop;
  const defined = writeRules(property.defined, workshop);
  const leaves = writeRules(property.leaves, workshop);
  const nested =
    property.content.kind === 'part' ? writeNested(property, property.content.part, workshop) : [];
  const rest = skipping(settings, [...leaves, ...nested]);
  const checks = property.isOptional
    ? [code`  if (value !== undefined && value !== null) {\n${[...defined, ...rest]}\n  }`]
    : [...defined, ...rest];
  const make = errorMaker(settings, scope);
  const isNested = nested.length > 0;
  const found = isNested ? code`failed !== undefined || children !== undefined` : code`failed !== undefined`;
  return code`  {
  const value = ${member(code`made`, property.name)};
  let failed;${isNested ? code`\n  let children;` : code``}
${checks}
  if (${found}) ${make}(errors, made, value, ${property.name}, ${isNested ? code`children === undefined ? [] : children` : code`[]`}, failed);
  }`;
}

function skipping(settings: Settings, checks: readonly Code[]): readonly Code[] {
  const skipped = [
    ...(settings.skipUndefined || settings.skipMissing ? [code`value !== undefined`] : []),
    ...(settings.skipNull || settings.skipMissing ? [code`value !== null`] : []),
  ];
  if (skipped.length === 0 || checks.length === 0) return checks;
  return [code`  if (${joined(skipped, ' && ')}) {\n${checks}\n  }`];
}

function writeRules(rules: readonly PlannedRule[], workshop: Workshop): Code[] {
  const { scope, settings } = workshop;
  const first = settings.stopAtFirstError ? code`failed === undefined && ` : code``;
  return rules.map(({ leaf, constraints, test, isEach, rule }) => {
    const holds = isEach
      ? code`${scope.hoist(eachIsJudged, 'eachIs')}(value, ${scope.hoist(test, `is${leaf.name}`)})`
      : leaf.emit(code`value`, scope, constraints, test);
    const [validator] = rule.validators;
    const sentence = sentenceOf(rule.declared, rule.speaker, settings);
    const said = writeSentence(sentence, scope);
    return code`  if (${first}!(${holds})) (failed ??= {})[${constraintName(rule, validator)}] = ${said};`;
  });
}

function writeSentence(sentence: Sentence, scope: Scope): Code {
  if ('always' in sentence) return code`${sentence.always}`;
  return code`${scope.hoist(sentence.say, 'say')}(made, value)`;
}

function writeNested(property: PropertyPlan, part: ClassPlan, workshop: Workshop): Code[] {
  const { scope, settings } = workshop;
  const [rule] = property.rules.nested;
  if (rule === undefined) return [];
  const target = scope.hoist(rule.target, 'target');
  const sentence = sentenceOf(rule, undefined, settings);
  const refusal =
    'always' in sentence
      ? code`${sentence.always}`
      : code`${scope.hoist(sentence.say, 'say')}(${target}, value)`;
  const first = settings.stopAtFirstError ? code`failed === undefined && ` : code``;
  const { find } = judgeOf(part, workshop);
  const list = listFinder(part, sentence, rule.target as object, workshop);
  return [
    code`  if (${first}value !== undefined) {
    if (Array.isArray(value)) children = ${list}(value);
    else if (typeof value === 'object' && value !== null) {
      const inside = [];
      ${find}(value, inside);
      if (inside.length > 0) children = inside;
    } else (failed ??= {}).nestedValidation = ${refusal};
  }`,
  ];
}

function listFinder(part: ClassPlan, sentence: Sentence, target: object, workshop: Workshop): Code {
  const { scope, settings } = workshop;
  const name = scope.fresh(`errorsInEach${part.type.name}`);
  const { find } = judgeOf(part, workshop);
  const make = errorMaker(settings, scope);
  const refusal =
    'always' in sentence
      ? code`${sentence.always}`
      : code`${scope.hoist(sentence.say, 'say')}(${scope.hoist(target, 'target')}, value)`;
  const skips = [
    code`value === undefined`,
    ...(settings.skipNull || settings.skipMissing ? [code`value === null`] : []),
  ];
  workshop.functions.push(code`function ${name}(list) {
  let children;
  for (let at = 0; at < list.length; at++) {
    const value = list[at];
    if (${joined(skips, ' || ')}) continue;
    if (typeof value === 'object' && value !== null) {
      const inside = [];
      ${find}(value, inside);
      if (inside.length > 0) ${make}(children ??= [], list, value, String(at), inside, undefined);
    } else ${make}(children ??= [], list, value, String(at), [], { nestedValidation: ${refusal} });
  }
  return children;
}`);
  return name;
}
