import type { FieldType } from './field-type.mts';
import { type Initial, readInitial } from './initial.mts';
import type { Target } from './target.mts';

/** A field of a new resource. */
export interface Field {
  /** In classes and on the wire: `dueAt`, `projectId`. */
  readonly name: string;
  /** In the database: `due_at`. */
  readonly column: string;
  readonly type: FieldType;
  /** Whether it may be null or missing. */
  readonly isNullable: boolean;
  /** Whether it has a unique constraint. */
  readonly isUnique: boolean;
  /** Of `one-of(open,done)`. */
  readonly choices: readonly string[];
  /** Of `ref:projects`: the resource that it belongs to. */
  readonly target?: Target;
  /** Of `priority:integer=0`: the value if none is sent, and that of rows that are there already. */
  readonly initial?: Initial;
}

const GRAMMAR =
  /^(?<name>[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*):(?:(?<plain>text|integer|boolean|timestamp|date|decimal)|one-of\((?<choices>[\w-]+(?:,[\w-]+)*)\)|ref:(?<path>[a-z][a-z0-9-]*))(?<nullable>\?)?(?<unique>:unique)?(?:=(?<initial>.*))?$/;

/** The types, as messages and help list them. */
export const typeList = 'text, integer, boolean, timestamp, date, decimal, one-of(open,done), ref:projects';

/** Fields that every resource has, names with a meaning to JavaScript, and names that the store uses. */
const RESERVED = new Set('id accountId createdAt constructor then toString valueOf db changes'.split(' '));

/** Keywords of TypeScript. */
const KEYWORDS =
  /^(arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield)$/;

interface NameShape {
  readonly name: RegExp;
  readonly remedy: string;
}

/** Since the column name determines how a value is stored on SQLite. */
const plainName: NameShape = {
  name: /^(?!is[A-Z])(?!.*At$)/,
  remedy: 'names that end with At or start with is are for timestamps and booleans',
};

const SHAPES: Readonly<Partial<Record<FieldType, NameShape>>> = {
  boolean: { name: /^is[A-Z](?!.*At$)/, remedy: 'the name of a boolean starts with is, such as isOpen' },
  timestamp: { name: /^(?!is[A-Z]).+At$/, remedy: 'the name of a timestamp ends with At, such as dueAt' },
};

/**
 * Parses the fields of a new resource, such as `title:text:unique`, `note:text?` or `project:ref:projects`.
 *
 * @param targetOf finds the resource that a field refers to
 * @throws Error that describes valid fields
 */
export function readFields(given: readonly string[], targetOf: (path: string) => Target): readonly Field[] {
  if (given.length === 0) throw new Error('a resource needs at least one field, such as title:text');
  const fields = given.map((one) => readField(one, targetOf));
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the field ${twice} is given twice`);
  if (fields.every(({ type }) => type === 'ref'))
    throw new Error('a resource needs a field that is not a ref');
  return fields;
}

/** Parses one field. */
export function readField(given: string, targetOf: (path: string) => Target): Field {
  const {
    name: said = '',
    plain,
    choices,
    path,
    nullable,
    unique,
    initial,
  } = GRAMMAR.exec(given)?.groups ?? {};
  if (said === '')
    throw new Error(
      `${JSON.stringify(given)} is not a field: name:type, with ?, :unique or =value after it; types: ${typeList}`,
    );
  const type = plain ? plainType(plain) : path === undefined ? 'one-of' : 'ref';
  const name = type === 'ref' ? `${said}Id` : said;
  if (RESERVED.has(name) || KEYWORDS.test(name)) throw new Error(`a field cannot be called ${name}`);
  const shape = SHAPES[type] ?? plainName;
  if (!shape.name.test(name)) throw new Error(`${given}: ${shape.remedy}`);
  if (unique !== undefined && (type === 'boolean' || type === 'one-of'))
    throw new Error(`${given}: a ${type === 'boolean' ? 'boolean' : 'choice'} cannot be unique`);
  if (initial !== undefined && (nullable !== undefined || unique !== undefined))
    throw new Error(`${given}: a field with a default is neither optional nor unique`);
  const choiceList = choices?.split(',') ?? [];
  return {
    name,
    column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type,
    isNullable: nullable !== undefined,
    isUnique: unique !== undefined,
    choices: choiceList,
    ...(path !== undefined && { target: targetOf(path) }),
    ...(initial !== undefined && { initial: readInitial(type, initial, choiceList) }),
  };
}

const plainTypes = ['text', 'integer', 'boolean', 'timestamp', 'date', 'decimal'] as const;

function plainType(text: string): FieldType {
  return plainTypes.find((type) => type === text) ?? 'text';
}
