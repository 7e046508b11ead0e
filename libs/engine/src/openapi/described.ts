import type { JsonSchema } from '@app/shapes';

const texts = new Set([
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  'default',
]);

/** A schema that was read from the rules, with the texts and the examples that the document has for it. */
export function described(schema: JsonSchema, declared: JsonSchema | undefined): JsonSchema {
  if (declared === undefined) return schema;
  const kept = Object.entries(declared).filter(([key]) => texts.has(key) || key.startsWith('x-'));
  const { description } = declared;
  const joined = [description, schema.description].filter(Boolean).join(' ');
  return { ...Object.fromEntries(kept), ...schema, ...(joined !== '' && { description: joined }) };
}
