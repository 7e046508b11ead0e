import { assemble, type Assembled } from '../../shapes/code/assemble';
import { type Code, code, joined, member } from '../../shapes/code/code';
import { Scope } from '../../shapes/code/scope';
import { nameOfClass } from '../../shapes/named';
import { formBody, textBody } from './fields';
import type { OpenFields } from '../plan/plan-class';
import type { Layout, LayoutWriter, EmitContext } from './layout';
import { openBody } from './open-fields';
import { fewText, isFewObjects } from './few-values';
import { listText } from './text/list-text';
import type { ClassWriter, Form } from './values';

/** The input of code generation for a class. */
export interface Program {
  readonly type: Function;
  readonly layouts: readonly Layout[];
  /** The fields for values with keys that match no layout; by default `otherwise` writes such values. */
  readonly open?: OpenFields | undefined;
  readonly context: EmitContext;
  /** Whether a value with this prototype is read like an instance of the class; by default only the known prototypes are. */
  readonly isReadable?: (prototype: object) => boolean;
  /** The handling of decorator options; `undefined` if the class has no decorator options. */
  readonly declared: DeclaredOptions | undefined;
  /** The writer for values without a known layout, or with an unexpected type. */
  readonly otherwise: LayoutWriter;
}

/** The decorator options for a class. They are the user's own objects, and class-transformer reads them at every value. */
export interface DeclaredOptions {
  /** Whether the options are unchanged since the program was generated. */
  isUnchanged(): boolean;
  /** Returns the class writer for its current options. */
  reopen(): LayoutWriter;
}

/** Generates the program that writes a class value as text, or converts it to a plain object. */
export function generateOne<Kind extends 'text' | 'plain'>(
  program: Program,
  kind: Kind,
): Assembled<Pick<ClassWriter, Kind>> {
  const scope = new Scope();
  const name = scope.fresh(kind);
  const key = kind === 'text' ? code`text` : code`plain`;
  return assemble(
    `${kind} of ${nameOfClass(program.type)}`,
    code`${valueFunction(program, scope, name, kind)}
return { ${key}: ${name} };`,
    scope,
  );
}

/** Generates the program that writes class lists as text. */
export function generateList(program: Program): Assembled<Omit<ClassWriter, 'type' | 'text' | 'plain'>> {
  const scope = new Scope();
  const [json, take, takeMany] = ['json', 'take', 'takeMany'].map((name) => scope.fresh(name));
  const isOfClass = code` && one.constructor === ${scope.hoist(program.type)}`;
  const writer = scope.hoist(program.context.writerOf(program.type), 'writer');
  const declared = code`, ${writer}`;
  return assemble(
    `list of ${nameOfClass(program.type)}`,
    code`${valueFunction(program, scope, json, 'json')}
${takeFunction(program, scope, { name: take, json, declared, condition: code`` })}
${takeFunction(program, scope, { name: takeMany, json, declared: code``, condition: isOfClass })}
return {
  json: ${json},
  list: (list) => ${listOf(scope, writer, take, code``)},
  many: (list) => ${listOf(scope, writer, takeMany, isOfClass)},
  listJson: (list) => ${take}(list, 0, list.length),
};`,
    scope,
  );
}

/** Generates the list conversion. Short lists are faster when they are written as text directly. */
function listOf(scope: Scope, writer: Code, take: Code, condition: Code): Code {
  const type = condition.source === '' ? code`` : code`, ${writer}.type`;
  return code`${scope.hoist(isFewObjects)}(list${type})
    ? ${scope.hoist(fewText)}(list, ${writer})
    : ${scope.hoist(listText)}(list, ${take})`;
}

/** Generates a function per layout, and a function that selects among them. */
function valueFunction(program: Program, scope: Scope, name: Code, kind: 'text' | Form): Code {
  const named = program.layouts.map((layout, at) => ({ layout, name: scope.fresh(`${kind}_${at + 1}`) }));
  const functions = named.map(
    (entry) => code`function ${entry.name}(value) {
${bodyOf(entry.layout, program, scope, kind)}
}`,
  );
  const fallback = scope.hoist(program.otherwise, 'otherwise');
  const otherwise = code`${member(fallback, kind)}(value)`;
  const foundName = scope.fresh('found');
  const lines = [
    ...optionsTest(program, scope, kind),
    code`  const isThenable = typeof value.then === 'function';`,
    code`  const ${foundName} = ${scope.hoist(prototypeOf, 'prototypeOf')}(value);`,
    code`  if (${isUnusual(program, scope, foundName)}) return ${otherwise};`,
    ...choices(named, scope, program.open ? code`${name}_open(value, keys)` : otherwise),
  ];
  const open =
    program.open &&
    code`function ${name}_open(value, keys) {
${knownTest(program.open, otherwise, scope)}
${openBody(program.open, program.context, scope, kind)}
}`;
  return code`${open ? [...functions, open] : functions}
function ${name}(value) {
${lines}
}`;
}

/** Generates a test of the decorator options that runs once per call. */
function optionsTest({ declared, context: { call } }: Program, scope: Scope, kind: 'text' | Form): Code[] {
  if (declared === undefined) return [];
  const tested = { in: -1 };
  const areChanged = (): boolean => {
    if (!declared.isUnchanged()) return true;
    tested.in = call.number;
    return false;
  };
  const isNew = code`${scope.hoist(tested, 'tested')}.in !== ${scope.hoist(call, 'call')}.number`;
  const reopened = code`${scope.hoist(() => declared.reopen(), 'reopened')}()`;
  return [
    code`  if (${isNew} && ${scope.hoist(areChanged, 'areChanged')}()) return ${member(reopened, kind)}(value);`,
  ];
}

/** Generates a test that finds keys which an object would reorder or merge, before a transform runs. */
function knownTest({ byKey, other: otherField }: OpenFields, otherwise: Code, scope: Scope): Code {
  const isOdd = (key: string): boolean => typeof otherField(key) === 'string';
  return code`  for (let at = 0; at < keys.length; at++)
    if (!${scope.hoist(byKey, 'known')}.has(keys[at]) && ${scope.hoist(isOdd, 'isOdd')}(keys[at])) return ${otherwise};`;
}

function bodyOf(layout: Layout, { context }: Program, scope: Scope, kind: 'text' | Form): Code[] {
  return kind === 'text' ? textBody(layout, context, scope) : formBody(layout, context, scope, kind);
}

/**
 * Generates the class test. class-transformer tests the value before its class. Afterwards V8 knows the prototype of most values
 * without a call.
 */
function isUnusual({ type, isReadable }: Program, scope: Scope, prototype: Code): Code {
  const own = code`${prototype} !== ${scope.hoist(type.prototype, 'prototype')}`;
  const plain = code`${prototype} !== ${scope.hoist(Object.prototype, 'plainPrototype')}`;
  const readable = isReadable ? code` && !${scope.hoist(isReadable, 'isReadable')}(${prototype})` : code``;
  return code`isThenable || ${own} && ${plain} && ${prototype} !== null${readable}`;
}

/**
 * Uses the built-in function directly, because a shared wrapper would be called with values from every class and become slower
 * for all of them.
 */
const { getPrototypeOf: prototypeOf } = Object;

function choices(named: readonly { layout: Layout; name: Code }[], scope: Scope, otherwise: Code): Code[] {
  const keysOf = scope.hoist(ownKeys, 'ownKeys');
  const lines = named.map(({ layout: { keys }, name }) =>
    keys ? code`  if (${sameKeys(keys)}) return ${name}(value);` : code`  return ${name}(value);`,
  );
  const isOpen = named.every(({ layout }) => layout.keys !== undefined);
  return isOpen ? [code`  const keys = ${keysOf}(value);`, ...lines, code`  return ${otherwise};`] : lines;
}

const ownKeys = (value: object): string[] => Object.keys(value);

function sameKeys(expected: readonly string[]): Code {
  const tests = expected.map((key, at) => code`keys[${at}] === ${key}`);
  return joined([code`keys.length === ${expected.length}`, ...tests], ' && ');
}

interface TakeNames {
  readonly name: Code;
  readonly json: Code;
  /** The declared class's writer, as a further argument. */
  readonly declared: Code;
  /** A further condition for objects that are not lists. */
  readonly condition: Code;
}

/** Generates the function that converts list elements. It skips holes, like `forEach`. */
function takeFunction(
  { context }: Program,
  scope: Scope,
  { name, json, declared, condition }: TakeNames,
): Code {
  const values = scope.hoist(context.values, 'values');
  const prototype = code`${scope.hoist(prototypeOf, 'prototypeOf')}(list)`;
  return code`function ${name}(list, from, to) {
  if (${prototype} !== ${scope.hoist(Array.prototype, 'listPrototype')}) return ${values}.listJson(list${declared});
  const made = [];
  for (let at = from; at < to; at++) {
    const one = list[at];
    if (one === undefined && !(at in list)) continue;
    made.push(${isObject(scope, code`one`)}${condition} ? ${json}(one) : ${values}.itemJson(one${declared}));
  }
  return made;
}`;
}

function isObject(scope: Scope, value: Code): Code {
  return code`typeof ${value} === 'object' && ${value} !== null && !${scope.hoist(Array.isArray, 'isArray')}(${value})`;
}
