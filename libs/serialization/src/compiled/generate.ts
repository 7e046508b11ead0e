import { assemble, type Assembled, type Code, code, joined, Scope } from '@app/shapes';
import { plainBody, textBody } from './generate-fields';
import type { Layout, LayoutWriter, Workshop } from './layout';
import { flat } from './text/flat';
import type { ClassWriter } from './values';

/** How many values of a list are text in pieces at a time. */
const FLAT_EVERY = 128;

/** What the program of a class is made from. */
export interface Program {
  readonly type: Function;
  readonly layouts: readonly Layout[];
  readonly workshop: Workshop;
  /** Called for a value that has none of the layouts, or is not what it seems. */
  readonly otherwise: LayoutWriter;
}

/** Writes and makes the program that writes the values of a class as text. */
export function generateText(program: Program): Assembled<TextWriter> {
  const scope = new Scope();
  const [text, list, many] = ['text', 'list', 'many'].map((name) => scope.fresh(name));
  const isOfClass = code` && one.constructor === ${scope.hoist(program.type)}`;
  return assemble<TextWriter>(
    `text of ${program.type.name}`,
    code`${valueFunction(program, scope, text, 'text')}
${listFunction(program, scope, { name: list, text, condition: code`` })}
${listFunction(program, scope, { name: many, text, condition: isOfClass })}
return { text: ${text}, list: ${list}, many: ${many} };`,
    scope,
  );
}

/** Writes and makes the program that makes plain objects of the values of a class. */
export function generatePlain(program: Program): Assembled<PlainMaker> {
  const scope = new Scope();
  const plain = scope.fresh('plain');
  return assemble<PlainMaker>(
    `plain of ${program.type.name}`,
    code`${valueFunction(program, scope, plain, 'plain')}
return { plain: ${plain} };`,
    scope,
  );
}

type TextWriter = Pick<ClassWriter, 'text' | 'list' | 'many'>;
type PlainMaker = Pick<ClassWriter, 'plain'>;

/** A function for each layout, and one that chooses among them. */
function valueFunction(program: Program, scope: Scope, name: Code, kind: 'text' | 'plain'): Code {
  const write = kind === 'text' ? textBody : plainBody;
  const named = program.layouts.map((layout, at) => ({ layout, name: scope.fresh(`${kind}_${at + 1}`) }));
  const functions = named.map(
    (one) => code`function ${one.name}(value) {
${write(one.layout, program.workshop, scope)}
}`,
  );
  const other = scope.hoist(program.otherwise, 'otherwise');
  const otherwise = kind === 'text' ? code`${other}.text(value)` : code`${other}.plain(value)`;
  return code`${functions}
function ${name}(value) {
  if (${isUnusual(program, scope)}) return ${otherwise};
${choices(named, scope, otherwise)}
}`;
}

/** class-transformer goes by what a value is before it goes by its class. */
function isUnusual({ type }: Program, scope: Scope): Code {
  const prototype = code`${scope.hoist(prototypeOf, 'prototypeOf')}(value)`;
  const own = code`${prototype} !== ${scope.hoist(type.prototype, 'prototype')}`;
  const plain = code`${prototype} !== ${scope.hoist(Object.prototype, 'plainPrototype')}`;
  return code`${own} && ${plain} && ${prototype} !== null || typeof value.then === 'function'`;
}

const prototypeOf = (value: object): unknown => Object.getPrototypeOf(value);

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

interface ListNames {
  readonly name: Code;
  readonly text: Code;
  /** What must hold of an object beside being no list. */
  readonly condition: Code;
}

/** Holes are stepped over, as forEach does; what JSON has no text for is null in a list. */
function listFunction({ type, workshop }: Program, scope: Scope, { name, text, condition }: ListNames): Code {
  const values = scope.hoist(workshop.values, 'values');
  const isList = scope.hoist(Array.isArray, 'isArray');
  const isObject = code`typeof one === 'object' && one !== null${condition} && !${isList}(one)`;
  const isDeclared = condition.source === '';
  const self = isDeclared ? code`, ${scope.hoist(workshop.writerOf(type), 'writer')}` : code``;
  const prototype = code`${scope.hoist(prototypeOf, 'prototypeOf')}(list)`;
  return code`function ${name}(list) {
  if (${prototype} !== ${scope.hoist(Array.prototype, 'listPrototype')}) return ${values}.listText(list${self});
  const { length } = list;
  let done = '';
  let written = '';
  let opening = '[';
  for (let at = 0; at < length; at++) {
    const one = list[at];
    if (one === undefined && !(at in list)) continue;
    written += opening;
    opening = ',';
    written += ${isObject} ? ${text}(one) : ${values}.item(one${self});
    if (at % ${FLAT_EVERY} === ${FLAT_EVERY - 1}) {
      done += ${scope.hoist(flat)}(written);
      written = '';
    }
  }
  return opening === '[' ? '[]' : done + written + ']';
}`;
}
