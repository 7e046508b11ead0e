/**
 * All tables by camelCase name; the database uses snake_case. Each table file adds its table by augmenting `@app/persistence`,
 * because TypeScript does not merge declarations with an interface in this file. A column named `*_at` is a `Date` with
 * millisecond precision, and a column named `is_*` is a boolean, on both databases.
 */
export interface Tables {}
