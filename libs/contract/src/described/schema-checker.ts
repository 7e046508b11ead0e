import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../openapi/document';

/** Describes the error in a value; `undefined` if the value is valid. */
export type SchemaCheck = (value: unknown) => string | undefined;

/** Checks values against a document's schemas, following references to its components. */
export function schemaChecker(document: OpenApiDocument): (schema: object) => SchemaCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'https://description.invalid/', components: document.components });
  const checks = new WeakMap<object, SchemaCheck>();
  return (schema) => {
    const check = checks.get(schema) ?? compile(ajv, schema);
    checks.set(schema, check);
    return check;
  };
}

function compile(ajv: Ajv2020, schema: object): SchemaCheck {
  const text = JSON.stringify(schema).replaceAll('"#/', '"https://description.invalid/#/');
  const standalone: unknown = JSON.parse(text);
  const isValid = ajv.compile(Object(standalone));
  return (value) => (isValid(value) ? undefined : ajv.errorsText(isValid.errors));
}
