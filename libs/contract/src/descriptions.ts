import type { JsonSchema } from '@app/engine';

/** A class or a member of one, and where it stands in the OpenAPI document of a program. */
export interface DescribedPlace {
  /** The unique place in the document, such as `GET /posts`, `GET /posts query.limit`, `Post` or `Post.slug`. */
  readonly key: string;
  readonly type: Function;
  readonly member?: string;
}

/**
 * Returns the text for a place: the TSDoc of a handler, a wire class or a member. Compiled programs have no comments, so
 * `npm run generate` writes the texts of each application, by key, to its `descriptions.ts`.
 */
export type Describe = (place: DescribedPlace) => string | undefined;

/** The texts of the members of one class; at `member@example` that of its `@example`. */
export type DescribeMember = (member: string) => string | undefined;

/** No texts. */
export const undescribed: Describe = () => undefined;

/** The texts of a class's members, each at `prefix.member`. */
export function membersOf(describe: Describe, type: Function, prefix: string): DescribeMember {
  return (member) => describe({ key: `${prefix}.${member}`, type, member });
}

/**
 * Adds what the sources say about a member: its text, and the value of its `@example`.
 *
 * @throws TypeError if the value is neither a text nor JSON
 */
export function withTexts(schema: JsonSchema, describe: DescribeMember, member: string): JsonSchema {
  const described = withDescription(schema, describe(member));
  const example = describe(`${member}@example`);
  if (example === undefined) return described;
  return { ...described, examples: [exampleIn(example.replace(/^`(.*)`$/s, '$1'), schema, member)] };
}

/** A text is written as it is, everything else as JSON. */
function exampleIn(text: string, { type }: JsonSchema, member: string): unknown {
  if (type === undefined || type.includes('string')) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`the @example of ${member} must be JSON, as it is not a text: ${text}`, { cause });
  }
}

/** The first sentence, without its point, and the rest. */
export function summarized(text: string): { readonly summary: string; readonly rest: string } {
  const [, summary = text, rest = ''] = /^(.+?)[.](?:\s+(.*))?$/s.exec(text) ?? [];
  return { summary, rest };
}

/** Adds a text to a schema, before the text that it has. */
export function withDescription(schema: JsonSchema, text: string | undefined): JsonSchema {
  if (text === undefined) return schema;
  const before = schema.description;
  return { ...schema, description: before === undefined ? text : `${text} ${before}` };
}
