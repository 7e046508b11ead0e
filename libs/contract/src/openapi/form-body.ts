import type { Components } from '../components';
import { membersOf } from '../descriptions';
import { withExample } from '../examples/member-example';
import { inputSchema, type Refer } from '../input/input-schema';
import type { RouteInput } from '../route-description';
import type { UploadRule } from '../upload-rule';
import type { Part } from './part';

/**
 * Returns the body for a file upload: a form with the files and the class fields.
 *
 * @param route such as `PUT /users/me/picture`
 */
export function formBody(
  upload: UploadRule,
  fields: RouteInput | undefined,
  components: Components,
  route: string,
): Part {
  const { properties, required } = fieldsOf(fields, components, route);
  const { field, types } = upload;
  const schema = {
    type: 'object',
    properties: { [field]: fileSchema(upload), ...properties },
    required: [field, ...required],
    ...(fields?.stripsUnknown !== true && { additionalProperties: false }),
  };
  const encoding = types.length === 0 ? {} : { encoding: { [field]: { contentType: types.join(', ') } } };
  return { required: true, content: { 'multipart/form-data': { schema, ...encoding } } };
}

/** Returns the form fields. All form fields are text, as in a query. */
function fieldsOf(fields: RouteInput | undefined, components: Components, route: string) {
  if (fields === undefined) return { properties: {}, required: [] };
  const describe = membersOf(components.describe, fields.type, `${route} body`);
  const refer: Refer = (part, variant) =>
    components.input(part, fields.groups, variant, fields.stripsUnknown);
  const form = { isText: true, isOpen: fields.stripsUnknown };
  const { properties, required = [] } = inputSchema(fields.type, fields.groups, refer, describe, form);
  const exampled = Object.entries(properties).map(([name, field]) => [
    name,
    withExample(field, name, fields.type.name),
  ]);
  return { properties: Object.fromEntries(exampled), required };
}

/** Returns the schema for an uploaded file. OpenAPI tools recognise a file by the format `binary`. */
function fileSchema({ types, maxBytes, maxFiles, isList }: UploadRule): Part {
  const kinds = types.length === 0 ? '' : ` of one of these types: ${types.join(', ')},`;
  const file = {
    type: 'string',
    format: 'binary',
    description: `A file${kinds} of at most ${maxBytes} bytes.`,
  };
  return isList ? { type: 'array', items: file, minItems: 1, maxItems: maxFiles } : file;
}
