/** The types of fields. */
export type FieldType = 'text' | 'integer' | 'boolean' | 'timestamp';

/** A field of a new resource. */
export interface Field {
  /** In classes and on the wire: `dueAt`. */
  readonly name: string;
  /** In the database: `due_at`. */
  readonly column: string;
  readonly type: FieldType;
  /** Whether it may be null or missing. */
  readonly isNullable: boolean;
  /** Whether it has a unique constraint. */
  readonly isUnique: boolean;
}

const GRAMMAR =
  /^(?<name>[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*):(?<type>\w+)(?<nullable>\?)?(?<unique>:unique)?$/;

/** Fields that every resource has, names with a meaning to JavaScript, and names that the store uses. */
const RESERVED = new Set('id createdAt constructor then toString valueOf db changes'.split(' '));

/** Keywords of TypeScript. */
const KEYWORDS =
  /^(arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield)$/;

/** The form of names by type, since the column name determines the type on SQLite. */
const SHAPES: Readonly<Record<FieldType, { readonly name: RegExp; readonly remedy: string }>> = {
  text: {
    name: /^(?!is[A-Z])(?!.*At$)/,
    remedy: 'names that end with At or start with is are for timestamps and booleans',
  },
  integer: {
    name: /^(?!is[A-Z])(?!.*At$)/,
    remedy: 'names that end with At or start with is are for timestamps and booleans',
  },
  boolean: { name: /^is[A-Z](?!.*At$)/, remedy: 'the name of a boolean starts with is, such as isOpen' },
  timestamp: { name: /^(?!is[A-Z]).+At$/, remedy: 'the name of a timestamp ends with At, such as dueAt' },
};

/**
 * Parses the fields of a new resource, such as `title:text:unique` or `note:text?`.
 *
 * @throws Error that describes valid fields
 */
export function readFields(given: readonly string[]): readonly Field[] {
  if (given.length === 0) throw new Error('a resource needs at least one field, such as title:text');
  const fields = given.map(readField);
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the field ${twice} is given twice`);
  return fields;
}

function readField(given: string): Field {
  const { name = '', type = '', nullable, unique } = GRAMMAR.exec(given)?.groups ?? {};
  if (!isFieldType(type)) {
    const types = Object.keys(SHAPES).join(', ');
    throw new Error(
      `${JSON.stringify(given)} is not a field: name:type, with ? or :unique after it; types: ${types}`,
    );
  }
  if (RESERVED.has(name) || KEYWORDS.test(name)) throw new Error(`a field cannot be called ${name}`);
  if (!SHAPES[type].name.test(name)) throw new Error(`${given}: ${SHAPES[type].remedy}`);
  if (type === 'boolean' && unique !== undefined) throw new Error(`${given}: a boolean cannot be unique`);
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { name, column, type, isNullable: nullable !== undefined, isUnique: unique !== undefined };
}

function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(SHAPES, type);
}
