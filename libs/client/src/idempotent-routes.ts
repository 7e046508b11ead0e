/**
 * The routes of api that accept an Idempotency-Key.
 *
 * Generated from apps/api/openapi.json by `npm run generate`; do not edit.
 */
export const idempotentRoutes: readonly string[] = [
  'POST /items',
  'PATCH /items/{id}',
  'POST /orders',
  'POST /posts',
  'PATCH /posts/{slug}',
];
