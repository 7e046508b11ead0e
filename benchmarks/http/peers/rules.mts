import { z } from 'zod';

const text = (name: string) => z.string(`${name} must be a string`);

/** The input rules and their messages, for the peers that use zod. */
export const createUser = z.strictObject({
  email: z.email('email must be an email'),
  password: z
    .string('password must be longer than or equal to 8 characters')
    .min(8, 'password must be longer than or equal to 8 characters')
    .max(256, 'password must be shorter than or equal to 256 characters'),
});

export const createOrder = z.strictObject({
  items: z.array(
    z.strictObject({ sku: text('sku'), quantity: text('quantity').min(1, 'quantity must not be empty') }),
  ),
});

export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(10),
  page: z.coerce.number().int().min(1).default(1),
});

/** The body of a 400. */
export function badRequest(messages: readonly string[]) {
  return { statusCode: 400, message: messages, error: 'Bad Request' };
}

export function messagesOf({ issues }: z.ZodError): string[] {
  return issues.map(({ message }) => message);
}

/** The body of a 401. */
export const unauthorized = { statusCode: 401, message: 'Unauthorized' };
