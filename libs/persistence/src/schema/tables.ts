/**
 * Every table, by its name in camelCase, which is snake_case in the database. The file of each table adds it by a declaration of
 * `@app/persistence`; TypeScript does not merge them with one of this file. A column named `*_at` is a `Date` with millisecond precision,
 * one named `is_*` a boolean, on both databases.
 */
export interface Tables {}
