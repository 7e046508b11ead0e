/** A part of an OpenAPI document other than a schema. */
export type Part = Readonly<Record<string, unknown>>;
