import type { JsonSchema } from '@app/shapes';

/** A class or a member of one, and where it stands in the OpenAPI document of a program. */
export interface DescribedPlace {
  /** Such as `GET /posts`, `GET /posts query.limit`, `Post` or `Post.slug`; unique in the document. */
  readonly key: string;
  readonly type: Function;
  readonly member?: string;
}

/**
 * Returns the text for a place: the TSDoc of a handler, a wire class or a member. Compiled programs have no comments, so
 * `npm run generate` writes the texts of each application, by key, to its `descriptions.ts`.
 */
export type Describe = (place: DescribedPlace) => string | undefined;

/** The texts of the members of one class. */
export type DescribeMember = (member: string) => string | undefined;

/** No texts. */
export const undescribed: Describe = () => undefined;

/** The texts of a class's members, each at `prefix.member`. */
export function membersOf(describe: Describe, type: Function, prefix: string): DescribeMember {
  return (member) => describe({ key: `${prefix}.${member}`, type, member });
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
