import {
  asInputVariant,
  inputSchema,
  type InputType,
  type InputVariant,
  type ReferInput,
} from '@app/contract';
import type { JsonSchema } from '@app/shapes';
import type { InputChoice } from './choices';
import { described } from './described';

/**
 * The schema of a class as the pipe accepts it. What the rules say is kept; texts and examples come from the document, and
 * so do members without rules, unless the pipe removes them.
 *
 * @param declared what the document has for the class
 */
export function correctedInput(
  type: InputType,
  { groups, whitelist, refusesUnknown }: InputChoice,
  refer: ReferInput,
  declared: JsonSchema = {},
  isText = false,
  variant?: InputVariant,
): JsonSchema {
  const found = inputSchema(type, groups, refer, undefined, isText);
  const { properties: documented = {}, required: needed = [] } = declared;
  const free = whitelist ? [] : Object.keys(documented).filter((name) => !(name in found.properties));
  const properties = [
    ...Object.entries(found.properties).map(
      ([name, schema]) => [name, described(withDefault(schema), documented[name])] as const,
    ),
    ...free.map((name) => [name, documented[name] ?? {}] as const),
  ];
  const required = [...(found.required ?? []), ...free.filter((name) => needed.includes(name))];
  const schema = {
    ...described({ type: 'object' }, declared),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(refusesUnknown && found.additionalProperties === false && { additionalProperties: false }),
  };
  return asInputVariant(schema, variant);
}

/** An initial value that JSON cannot have is none for a client. */
function withDefault(schema: JsonSchema): JsonSchema {
  const { default: initial, ...rest } = schema;
  const isPlain = ['string', 'number', 'boolean'].includes(typeof initial);
  return isPlain ? schema : rest;
}
