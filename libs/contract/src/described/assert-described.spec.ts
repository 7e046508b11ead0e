import type { OpenApiDocument } from '../openapi/document';
import { type Exchange, assertDescribed } from './assert-described';

const response = {
  headers: { Link: {} },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
};
const document = {
  paths: {
    '/things/{id}': {
      get: { responses: { 200: response, default: { $ref: '#/components/responses/Other' } } },
    },
    '/{kind}/{id}/parts/{part}': { get: { responses: { 200: { description: 'Shadowed.' } } } },
    '/things/{id}/parts/{part}': { get: { responses: { 200: { description: 'Shadowed.' } } } },
    '/things/{id}/parts/search': { get: { responses: { 204: { description: 'Done.' } } } },
    '/things/none': { get: { responses: { 204: { description: 'Done.' } } } },
  },
  components: {
    schemas: {
      Thing: { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false },
    },
    responses: { Other: { content: { 'application/json': { schema: { required: ['message'] } } } } },
  },
} as unknown as OpenApiDocument;
const check = assertDescribed(document);
const exchange = (changed: Partial<Exchange>): Exchange => {
  const contentType = 'application/json; charset=utf-8';
  return { method: 'GET', path: '/things/7?x=1', status: 200, contentType, text: '{"id":7}', ...changed };
};

describe('a response', () => {
  it.each([
    {},
    { status: 400, text: '{"message":"no"}' },
    { path: '/elsewhere', text: 'anything' },
    { path: '/things/none', status: 204, text: '' },
    { path: '/things/7/parts/search', status: 204, text: '' },
    { headers: ['link', 'x-request-id'] },
  ])('passes if it is described: %j', (changed) => {
    expect(() => check(exchange(changed))).not.toThrow();
  });

  it.each([
    [{ text: '{"id":"7"}' }, 'data/id must be integer'],
    [{ text: '{"secret":7}' }, 'must NOT have additional properties'],
    [{ status: 404, text: '{}' }, 'required property'],
    [{ status: 409 }, 'the status is not described'],
    [{ headers: ['location'] }, 'the header location is not described'],
    [{ contentType: 'text/plain' }, 'text/plain is not described'],
    [{ path: '/things/none', status: 204 }, 'there should be no body'],
  ])('fails otherwise: %j', (changed, problem) => {
    expect(() => check(exchange(changed))).toThrow(problem);
  });
});
