import { GroupedSchema } from '@app/engine';
import { Body as NestBody } from '@nestjs/common';

/** The {@link Body} options. */
export interface BodyOptions {
  /** Removes the members without a rule. By default they are a 400. */
  readonly unknown?: 'strip';
  /** The validation groups, from `inGroups`. */
  readonly schema?: GroupedSchema;
}

/** The schemas of parameters from which unknown members are removed. Nest gives a parameter's schema to its pipe. */
const stripping = new WeakSet<object>();

/**
 * Nest's `@Body()`, for clients that send more than the route accepts: `@Body({ unknown: 'strip' }) body: UpdatePost`. Nested
 * objects lose their unknown members too. With groups: `@Body({ ...inGroups(UserDto, 'update'), unknown: 'strip' })`.
 */
export function Body({ unknown, schema }: BodyOptions = {}): ParameterDecorator {
  if (unknown !== 'strip') return schema === undefined ? NestBody() : NestBody({ schema });
  // A copy, because other parameters may have the same schema.
  const marked = schema ? new GroupedSchema(schema.type, schema.groups) : anySchema();
  stripping.add(marked);
  return NestBody({ schema: marked });
}

/** Returns whether unknown members are removed from a parameter with this schema. */
export function stripsUnknown(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && stripping.has(schema);
}

/** Returns a schema without rules: the class of the parameter has them. */
function anySchema() {
  return {
    '~standard': { version: 1 as const, vendor: 'sluice', validate: (value: unknown) => ({ value }) },
  };
}
