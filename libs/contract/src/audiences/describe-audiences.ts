import type { JsonSchema } from '@app/engine';
import { audienceNamed } from './audience';

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Returns the audiences in words, such as `the account itself or administrators`. */
function describedAudiences(names: readonly string[]): string {
  return or.format(names.map((name) => audienceNamed(name)?.description ?? name));
}

/** Adds a member's audiences to its schema, as a sentence and as `x-audiences`. */
export function withAudiences(
  schema: JsonSchema,
  names: readonly string[] | undefined,
  verb = 'Sent to',
): JsonSchema {
  if (names === undefined) return schema;
  const sentence = `${verb} ${describedAudiences(names)} only.`;
  const description = schema.description === undefined ? sentence : `${schema.description} ${sentence}`;
  return { ...schema, description, 'x-audiences': names };
}
