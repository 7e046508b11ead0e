import type { Components } from '../components';
import { inputSchema, type InputType } from '../input/input-schema';
import type { RouteCallers, RouteInput, RouteDescription } from '../route-description';
import type { Part } from './part';
import { errorResponses } from './error-responses';
import { exampleOf } from './example';

/** One operation of the description: a method on a path. */
export function operation(route: RouteDescription, id: string, components: Components): Part {
  const { body, query, params, callers } = route;
  const parameters = [
    ...parametersOf(params, 'path', components),
    ...plainParameters(route),
    ...parametersOf(query, 'query', components),
  ];
  return {
    operationId: id,
    tags: [tagOf(route)],
    summary: summaryOf(route),
    ...(query && { description: 'Query parameters that are not named here are refused with 400.' }),
    security: securityOf(callers),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, components) }),
    responses: { [route.status]: success(route, components), ...errorResponses(route, components) },
  };
}

/** `UsersController.readOne` is `usersReadOne`. */
export function operationName({ controller, handler }: RouteDescription): string {
  const owner = controller.name.replace(/Controller$/, '');
  return owner.charAt(0).toLowerCase() + owner.slice(1) + handler.charAt(0).toUpperCase() + handler.slice(1);
}

function tagOf({ path }: RouteDescription): string {
  return path.split('/')[1] || 'home';
}

function summaryOf({ handler, controller, callers }: RouteDescription): string {
  const owner = controller.name.replace(/Controller$/, '');
  const words = `${owner} ${handler}`.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const told = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return callers.roles ? `${told} (${callers.roles.join(' or ')})` : told;
}

/** Any of the strategies will do; roles stand beside each. An empty list opens the route to everybody. */
function securityOf({ isPublic, strategies, roles = [] }: RouteCallers): Part[] {
  return isPublic ? [] : strategies.map((name) => ({ [name]: roles }));
}

function parametersOf(
  input: RouteInput | undefined,
  place: 'path' | 'query',
  components: Components,
): Part[] {
  if (!input) return [];
  const refer = (part: InputType) => components.input(part, input.groups);
  const { properties, required = [] } = inputSchema(input.type, input.groups, refer, true);
  return Object.entries(properties).map(([name, part]) => {
    const { description, ...schema } = part;
    const isRequired = place === 'path' || required.includes(name);
    return { name, in: place, required: isRequired, description, schema };
  });
}

/** Parts of a path that are taken one by one arrive as they were sent. */
function plainParameters({ path, params }: RouteDescription): Part[] {
  if (params) return [];
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

/** A body that holds nothing may as well be left out. */
function requestBody({ type, groups }: RouteInput, components: Components): Part {
  const schema = components.input(type, groups);
  const { required = [] } = inputSchema(type, groups, () => ({}));
  const example = exampleOf(schema, components.all());
  return {
    required: required.length > 0,
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

function success({ answer, mediaType }: RouteDescription, components: Components): Part {
  if (mediaType === undefined) return { description: 'Done; there is nothing to say.' };
  const [type = mediaType] = mediaType.split(';');
  if (!answer) {
    const schema = type === 'text/plain' ? { type: 'string' } : {};
    return { description: 'As asked.', content: { [type]: { schema } } };
  }
  const whole = components.answer(answer.whole, answer);
  const schema = answer.shape === 'list' ? { type: 'array', items: whole } : whole;
  return { description: 'As asked.', content: { [type]: { schema } } };
}
