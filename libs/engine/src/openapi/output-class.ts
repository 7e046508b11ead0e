import {
  type ResponseChoice,
  responseSchema,
  asResponseVariant,
  type Variant,
  type ReferResponse,
} from '@app/contract';
import { type JsonSchema, readTransforms, selectKeys, selectTransforms, wireName } from '@app/shapes';
import { described } from './described';
import { referredName } from './document';

/**
 * The schema of a class as the interceptor sends it: without excluded members, with those of the groups, under their names
 * on the wire. Types come from the document, and for members that it does not have from the decorators.
 *
 * Only members that the document requires are required: others may be undefined.
 *
 * @param declared what the document has for the class
 */
export function correctedOutput(
  type: Function,
  choice: ResponseChoice,
  refer: ReferResponse,
  declared: JsonSchema = {},
  variant?: Variant,
): JsonSchema {
  const shape = readTransforms(type);
  const options = { ...choice, groups: choice.groups.length > 0 ? choice.groups : undefined };
  const selection = selectKeys(shape, 'toPlain', options);
  const { takesOwnKeys, exposed } = selection;
  const found = responseSchema(type, choice, refer).properties;
  const documented = declared.properties ?? {};
  const sent = Object.keys(documented).filter((name) =>
    takesOwnKeys ? selection.keeps(name) : exposed.includes(name),
  );
  const isComputed = (name: string) => selectTransforms(shape, name, 'toPlain', options).length > 0;
  const properties = new Map(Object.entries(found));
  for (const name of sent) {
    const wire = wireName(shape, name);
    properties.set(wire, merged(found[wire], documented[name] ?? {}, isComputed(name)));
  }
  const required = sent
    .filter((name) => declared.required?.includes(name) && !isComputed(name))
    .map((name) => wireName(shape, name));
  const schema = {
    ...described({ type: 'object' }, declared),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(!takesOwnKeys && { additionalProperties: false }),
  };
  return asResponseVariant(schema, type, variant, choice);
}

/** A transform may return anything; a class is known by its decorators, everything else better by the document. */
function merged(found: JsonSchema | undefined, documented: JsonSchema, isComputed: boolean): JsonSchema {
  if (isComputed) return described(found ?? {}, documented);
  return found && (namesClasses(found) || (found.items && namesClasses(found.items)))
    ? described(found, documented)
    : documented;
}

function namesClasses(schema: JsonSchema): boolean {
  const variants = schema.oneOf ?? schema.anyOf ?? [];
  return referredName(schema) !== undefined || (variants.length > 0 && variants.every(namesClasses));
}
