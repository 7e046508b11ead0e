/**
 * The facts about routes of api that types do not tell.
 *
 * Generated from apps/api/openapi.json by `npm run generate`; do not edit.
 */

/** The routes that accept an `Idempotency-Key`. */
export const idempotentRoutes: readonly string[] = [
  'POST /items',
  'PATCH /items/{id}',
  'POST /orders',
  'POST /posts',
  'PATCH /posts/{slug}',
];

/** The responses that are not JSON. */
export const bodyKinds: Readonly<Record<string, 'blob' | 'text'>> = {
  'GET /': 'text',
  'GET /reset-password': 'blob',
  'GET /undo-email-change': 'blob',
  'GET /users/me/picture': 'blob',
};
