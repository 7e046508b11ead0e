import type { FieldType } from './field-type.mts';
import { type Initial, readInitial } from './initial.mts';
import type { Target } from './target.mts';

/** A field of a new resource. */
export interface Field {
  /** The name in classes and on the wire: `dueAt`, `projectId`. */
  readonly name: string;
  /** The name in the database: `due_at`. */
  readonly column: string;
  readonly type: FieldType;
  /** Whether it may be null or missing. */
  readonly isNullable: boolean;
  /** Whether it has a unique constraint. */
  readonly isUnique: boolean;
  /** The members of each part, such as `list(name:text,quantity:integer)`. */
  readonly parts?: readonly Field[];
  /** The permitted values, such as `one-of(open,done)`. */
  readonly choices: readonly string[];
  /** The resource that the field belongs to, such as `ref:projects`. */
  readonly target?: Target;
  /** The default for bodies that lack the field and for existing rows, such as `priority:integer=0`. */
  readonly initial?: Initial;
  /** The value for existing rows, such as `--default priority=0`. Bodies must have the field. */
  readonly backfill?: Initial;
}

const GRAMMAR =
  /^(?<name>[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*):(?:(?<plain>text|integer|boolean|timestamp|date|decimal|json)|one-of\((?<choices>[\w-]+(?:,[\w-]+)*)\)|list\((?<parts>[^=?]+)\)|ref:(?<path>[a-z][a-z0-9-]*))(?<nullable>\?)?(?<unique>:unique)?(?:=(?<initial>.*))?$/;

/** The types, as messages and help list them. */
export const typeList =
  'text, integer, boolean, timestamp, date, decimal, json, one-of(open,done), ref:projects, list(name:text,quantity:integer)';

/** The fields that every resource has, names with a meaning to JavaScript, and names that the store uses. */
const RESERVED = new Set('id accountId createdAt constructor then toString valueOf db changes'.split(' '));

/** The TypeScript keywords. */
const KEYWORDS =
  /^(arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield)$/;

interface NameShape {
  readonly name: RegExp;
  readonly remedy: string;
}

/** The shape for plain names, because the column name determines how a value is stored on SQLite. */
const plainName: NameShape = {
  name: /^(?!is[A-Z])(?!.*At$)/,
  remedy: 'names that end with At or start with is are for timestamps and booleans',
};

const SHAPES: Readonly<Partial<Record<FieldType, NameShape>>> = {
  boolean: { name: /^is[A-Z](?!.*At$)/, remedy: 'the name of a boolean starts with is, such as isOpen' },
  timestamp: { name: /^(?!is[A-Z]).+At$/, remedy: 'the name of a timestamp ends with At, such as dueAt' },
};

/**
 * Parses a new resource's fields, such as `title:text:unique`, `note:text?` or `project:ref:projects`.
 *
 * @param targetOf finds the resource that a field refers to
 * @throws Error that describes valid fields
 */
export function readFields(texts: readonly string[], targetOf: (path: string) => Target): readonly Field[] {
  if (texts.length === 0) throw new Error('a resource needs at least one field, such as title:text');
  const fields = texts.map((text) => readField(text, targetOf));
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the field ${twice} is given twice`);
  if (fields.every(({ type }) => type === 'ref'))
    throw new Error('a resource needs a field that is not a ref');
  return fields;
}

/** Parses a field. */
export function readField(text: string, targetOf: (path: string) => Target): Field {
  const {
    name: typedName = '',
    plain,
    choices,
    parts,
    path,
    nullable,
    unique,
    initial,
  } = GRAMMAR.exec(text)?.groups ?? {};
  if (typedName === '')
    throw new Error(
      `${JSON.stringify(text)} is not a field: name:type, with ?, :unique or =value after it; types: ${typeList}`,
    );
  const type = typeOf({ plain, parts, path });
  const name = type === 'ref' ? `${typedName}Id` : typedName;
  if (RESERVED.has(name) || KEYWORDS.test(name)) throw new Error(`a field cannot be called ${name}`);
  const shape = SHAPES[type] ?? plainName;
  if (!shape.name.test(name)) throw new Error(`${text}: ${shape.remedy}`);
  if (unique !== undefined && neverUnique.has(type))
    throw new Error(`${text}: a ${type === 'one-of' ? 'choice' : type} cannot be unique`);
  if (type === 'list' && (nullable !== undefined || initial !== undefined))
    throw new Error(`${text}: a list that is not sent is empty, never null`);
  if (initial !== undefined && (nullable !== undefined || unique !== undefined))
    throw new Error(`${text}: a field with a default is neither optional nor unique`);
  const choiceList = choices?.split(',') ?? [];
  return {
    name,
    column: columnOf(name),
    type,
    isNullable: nullable !== undefined,
    isUnique: unique !== undefined,
    choices: choiceList,
    ...(path !== undefined && { target: targetOf(path) }),
    ...(parts !== undefined && { parts: readParts(parts) }),
    ...(initial !== undefined && { initial: readInitial(type, initial, choiceList) }),
  };
}

const plainTypes = ['text', 'integer', 'boolean', 'timestamp', 'date', 'decimal', 'json'] as const;
const neverUnique = new Set<FieldType>(['boolean', 'one-of', 'json', 'list']);

/** Returns the field type that the grammar matched. */
function typeOf(groups: Readonly<Record<'plain' | 'parts' | 'path', string | undefined>>): FieldType {
  if (groups.parts !== undefined) return 'list';
  if (groups.path !== undefined) return 'ref';
  return plainTypes.find((type) => type === groups.plain) ?? 'one-of';
}

/** The types that a list part may have. Parts are stored as JSON, which lacks timestamps and references. */
const partTypes = new Set<FieldType>(['text', 'integer', 'boolean', 'date', 'decimal', 'one-of']);

/** Parses a part's members: `name:text,kind:one-of(a,b)`. */
function readParts(text: string): readonly Field[] {
  const parts = text.split(/,(?![^(]*\))/).map((part) => readField(part, noTarget));
  const wrong = parts.find(({ type, isUnique }) => !partTypes.has(type) || isUnique);
  if (wrong !== undefined)
    throw new Error(
      `${wrong.name}: a part of a list has the types ${[...partTypes].join(', ')}, and nothing unique`,
    );
  return parts;
}

function noTarget(path: string): never {
  throw new Error(`ref:${path}: a part of a list cannot refer to a resource`);
}

/** Returns the column for a member: `due_on` for `dueOn`. */
export function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
