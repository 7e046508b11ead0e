import type { JsonSchema } from '@app/engine';
import { exampleOf } from './example';
import { withExample } from './member-example';

const text = { type: 'string' };

describe('the example of a member', () => {
  it.each<[string, JsonSchema, unknown]>([
    ['email', { ...text, format: 'email' }, 'ada@example.com'],
    ['first_name', text, 'Ada'],
    ['website', { ...text, format: 'uri' }, 'https://example.com/'],
    ['createdAt', { ...text, format: 'date-time' }, '2026-01-31T12:00:00.000Z'],
    ['expiresAt', { ...text, format: 'date-time' }, '2026-03-31T12:00:00.000Z'],
    ['dueOn', { ...text, format: 'date' }, '2026-03-31'],
    ['price', { type: 'integer', minimum: 0 }, 1999],
    ['price', text, '19.99'],
    ['price', { ...text, pattern: '^\\d+$' }, '42'],
    ['slug', { ...text, pattern: '^[a-z]+$' }, 'notes'],
    ['country', { ...text, maxLength: 2 }, 'GB'],
    ['age', { type: 'integer', minimum: 18, maximum: 30 }, 18],
    ['share', { type: 'number', exclusiveMinimum: 0, maximum: 1 }, 1],
    ['authorId', { type: ['integer', 'null'] }, 42],
    ['name', text, 'Example ticket'],
    ['code', { ...text, allOf: [{ pattern: '^[A-Z]' }, { pattern: '4$' }] }, 'A-1024'],
    ['code', { ...text, minLength: 12, maxLength: 12 }, 'Example code'],
    ['word', { ...text, minLength: 20 }, 'Example.............'],
  ])('fits its name and its rules: %s %j', (name, schema, expected) => {
    expect(withExample(schema, name, 'CreateTicket')).toEqual({ ...schema, examples: [expected] });
  });

  it('is that of an element for a list', () => {
    expect(withExample({ type: 'array', items: text }, 'emails', 'Team')).toEqual({
      type: 'array',
      items: { ...text, examples: ['ada@example.com'] },
    });
  });

  it.each<JsonSchema>([
    { ...text, pattern: '^(?:never)+ matched$' },
    { ...text, examples: ['given'] },
    { ...text, default: 'usual' },
    { enum: ['a'] },
    { ...text, format: 'binary' },
    { type: 'boolean' },
    { $ref: '#/components/schemas/Part' },
  ])('is not added to %j', (schema) => {
    expect(withExample(schema, 'member', 'Ticket')).toEqual(schema);
  });
});

describe('the example of an object', () => {
  const schemas = {
    Node: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        parent: { $ref: '#/x/Node' },
        parts: { type: 'array', items: { $ref: '#/x/Node' } },
      },
      required: ['id'],
    },
    Card: { type: 'object', properties: { kind: { const: 'card' } } },
  };

  it('ends where a class contains itself', () => {
    expect(exampleOf({ $ref: '#/x/Node' }, schemas)).toEqual({ id: 42, parts: [] });
  });

  it('is that of the first of several classes', () => {
    expect(exampleOf({ oneOf: [{ $ref: '#/x/Card' }, { type: 'string' }] }, schemas)).toEqual({
      kind: 'card',
    });
  });

  it('is missing if a required member has none', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^never$' } },
      required: ['a'],
    };
    expect(exampleOf(schema, {})).toBeUndefined();
  });
});
