import { type Code, code, member, type Scope } from '@app/shapes';
import type { Field, OpenFields } from '../plan/plan-class';
import { assignment, type Draft, draftOf, jsonOf, plainOf, readLines, textOf } from './fields';
import type { EmitContext } from './layout';
import type { Form } from './values';

/** The statements that write a value with any `keys`, in their order, and return its text or form. */
export function openBody(open: OpenFields, context: EmitContext, scope: Scope, kind: 'text' | Form): Code[] {
  const write = (field: Field | undefined): Code[] => {
    if (field === undefined) return [];
    const draft = draftOf(field, context, scope, ',');
    return [...readLines(draft), ...(kind === 'text' ? addText(draft) : addMember(draft, kind))];
  };
  const exposed = new Map(open.exposed.map((key) => [key, scope.fresh(`has_${key}`)]));
  const cases = [...open.byKey].map(([key, field]) => {
    const has = exposed.get(key);
    const lines = [...(has ? [code`  ${has} = true;`] : []), ...write(field), code`  break;`];
    return code`    case ${key}: {\n${lines}\n    }`;
  });
  return [
    kind === 'text' ? code`  let text = '';` : code`  const plain = {};`,
    ...[...exposed.values()].map((has) => code`  let ${has} = false;`),
    code`  for (let at = 0; at < keys.length; at++) switch (keys[at]) {
${cases}
    default: ${writeOther(open, context, scope, kind)};
  }`,
    ...[...exposed].map(([key, has]) => code`  if (!${has}) {\n${write(open.byKey.get(key))}\n  }`),
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

/** A key without decorators that was not met before. */
function writeOther(open: OpenFields, context: EmitContext, scope: Scope, kind: 'text' | Form): Code {
  if (kind === 'text') {
    const { text } = context.slow;
    const other = (value: Fields, key: string): string => {
      const field = open.other(key) as Field | undefined;
      if (field === undefined) return '';
      const label = `,${JSON.stringify(key)}:`;
      return field.isMember
        ? text.member(label, value, field, undefined)
        : text.held(label, value, value[key], key, undefined);
    };
    return code`text += ${scope.hoist(other, 'other')}(value, keys[at])`;
  }
  const slow = context.slow[kind];
  const other = (plain: Fields, value: Fields, key: string): void => {
    const field = open.other(key) as Field | undefined;
    if (field === undefined) return;
    const made = field.isMember
      ? slow.member(value, field, undefined)
      : slow.held(value, value[key], key, undefined);
    if (made !== undefined || context.options.exposeUnsetFields) plain[key] = made;
  };
  return code`${scope.hoist(other, 'other')}(plain, value, keys[at])`;
}
