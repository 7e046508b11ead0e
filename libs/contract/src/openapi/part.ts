/** A part of an OpenAPI document that is no schema. */
export type Part = Readonly<Record<string, unknown>>;
