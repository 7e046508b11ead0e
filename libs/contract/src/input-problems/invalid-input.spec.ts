import { InvalidInputError } from './errors';
import type { Problem } from './input-problems';
import { invalidInput } from './invalid-input';

function unknown(count: number): Problem[] {
  return Array.from({ length: count }, (_, index) => ({
    property: `f${index}`,
    constraints: { whitelistValidation: `property f${index} should not exist` },
  }));
}

describe('the reply to invalid input', () => {
  it('is a flat list and the same by field', () => {
    const error = invalidInput([
      {
        property: 'email',
        constraints: { isEmail: 'email must be an email', isString: 'email must be a string' },
      },
      {
        property: 'items',
        constraints: { isArray: 'items must be an array' },
        children: [
          {
            property: '0',
            children: [{ property: 'sku', constraints: { isString: 'sku must be a string' } }],
          },
        ],
      },
    ]);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.reply).toMatchObject({
      status: 400,
      message: [
        'email must be an email',
        'email must be a string',
        'items must be an array',
        'items.0.sku must be a string',
      ],
      details: [
        { field: 'email', messages: ['email must be an email', 'email must be a string'] },
        { field: 'items', messages: ['items must be an array'] },
        { field: 'items.0.sku', messages: ['sku must be a string'] },
      ],
    });
  });

  it('is an error without a stack trace', () => {
    const error = invalidInput(unknown(1));
    expect(error).toMatchObject({ name: 'InvalidInputError', message: 'The input breaks its rules.' });
    expect(error.stack).not.toMatch(/\n\s+at /);
  });

  it('has up to fifty messages', () => {
    expect(invalidInput(unknown(50)).reply.message).toEqual(
      unknown(50).map(({ property }) => `property ${property} should not exist`),
    );
  });

  it('has forty-nine of more messages, and the number of the others', () => {
    const { message, details } = invalidInput(unknown(51)).reply;
    expect(message).toHaveLength(50);
    expect(message.at(-1)).toBe('2 more messages were left out');
    expect(details).toHaveLength(50);
    expect(details.at(-1)).toEqual({ field: '', messages: ['2 more messages were left out'] });
  });

  it('has the same size for a hundred thousand', () => {
    const { message, details } = invalidInput([{ property: 'all', children: unknown(100_000) }]).reply;
    expect(message.at(-1)).toBe('99951 more messages were left out');
    expect(details.flatMap(({ messages }) => messages)).toHaveLength(50);
    expect(message[0]).toBe('all.property f0 should not exist');
  });

  it('supports fields named like members of an object', () => {
    const problem = { property: '__proto__', constraints: { isString: '__proto__ must be a string' } };
    expect(invalidInput([problem]).reply.details).toEqual([
      { field: '__proto__', messages: ['__proto__ must be a string'] },
    ]);
  });
});
