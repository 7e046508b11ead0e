import { type Code, code, member } from '../../shapes/code/code';
import type { Scope } from '../../shapes/code/scope';
import type { Field, OpenFields } from '../plan/plan-class';
import { assignment, type Draft, draftOf, jsonOf, plainOf, readLines, textOf } from './fields';
import type { EmitContext } from './layout';
import { declaredPart } from './slow-fields';
import type { Form } from './values';

/**
 * Generates the statements that write a value with any `keys`, in their order, and return its text or form.
 *
 * A `for`-`in` loop lets V8 read the values by index, whatever hidden class the object has. Access by name looks up each field
 * separately when a value has keys of its own. The loop leaves out a key that was deleted meanwhile, and continues with
 * inherited keys: from there on, `keys` counts.
 */
export function openBody(open: OpenFields, context: EmitContext, scope: Scope, kind: 'text' | Form): Code[] {
  const write = (field: Field | undefined, read?: Code): Code[] => {
    if (field === undefined) return [];
    const draft = draftOf(field, context, scope, ',');
    return [...readLines(draft, read), ...(kind === 'text' ? addText(draft) : addMember(draft, kind))];
  };
  const exposed = new Map(open.exposed.map((key) => [key, scope.fresh(`has_${key}`)]));
  const cases = [...open.byKey].map(([key, field]) => {
    const has = exposed.get(key);
    const lines = [
      ...(has ? [code`  ${has} = true;`] : []),
      ...write(field, code`value[key]`),
      code`  break;`,
    ];
    return code`    case ${key}: {\n${lines}\n    }`;
  });
  const otherKeys = writeOther(open, context, scope, kind);
  return [
    kind === 'text' ? code`  let text = '';` : code`  const plain = {};`,
    ...[...exposed.values()].map((has) => code`  let ${has} = false;`),
    code`  let at = 0;
  for (const key in value) {
    if (key !== keys[at]) break;
    at++;
    switch (key) {
${cases}
    default: ${otherKeys};
    }
  }
  const left = at === keys.length ? ${scope.hoist(NONE, 'none')} : keys.slice(at);
  for (const key of left) ${otherKeys};`,
    ...[...exposed].map(
      ([key, has]) => code`  if (!${has} && !left.includes(${key})) {\n${write(open.byKey.get(key))}\n  }`,
    ),
    kind === 'text' ? code`  return text === '' ? '{}' : '{' + text.slice(1) + '}';` : code`  return plain;`,
  ];
}

function addText(draft: Draft): Code[] {
  return [code`  text += ${textOf(draft)};`];
}

function addMember(draft: Draft, form: Form): Code[] {
  if (form === 'plain' && !draft.context.options.exposeUnsetFields) return assignment(draft);
  return [
    code`  ${member(code`plain`, draft.field.name)} = ${form === 'plain' ? plainOf(draft) : jsonOf(draft)};`,
  ];
}

type Fields = Record<string, unknown>;

const NONE: readonly string[] = [];

/** Generates the code for a new key, or for a key that the loop has left. */
function writeOther(open: OpenFields, context: EmitContext, scope: Scope, kind: 'text' | Form): Code {
  const fieldOf = (key: string) =>
    (open.byKey.has(key) ? open.byKey.get(key) : open.other(key)) as Field | undefined;
  if (kind === 'text') {
    const { text } = context.slow;
    const writeKey = (value: Fields, key: string): string => {
      const field = fieldOf(key);
      if (field === undefined) return '';
      const label = `,${JSON.stringify(field.name)}:`;
      const part = declaredPart(field.part, context);
      return isPlain(field)
        ? text.held(label, value, value[key], key, part)
        : text.member(label, value, field, part);
    };
    return code`text += ${scope.hoist(writeKey, 'other')}(value, key)`;
  }
  const slow = context.slow[kind];
  const writeKey = (plain: Fields, value: Fields, key: string): void => {
    const field = fieldOf(key);
    if (field === undefined) return;
    const part = declaredPart(field.part, context);
    const written = isPlain(field)
      ? slow.held(value, value[key], key, part)
      : slow.member(value, field, part);
    if (written !== undefined || context.options.exposeUnsetFields) plain[field.name] = written;
  };
  return code`${scope.hoist(writeKey, 'other')}(plain, value, key)`;
}

function isPlain({ isMember, transforms }: Field): boolean {
  return !isMember && transforms.length === 0;
}
