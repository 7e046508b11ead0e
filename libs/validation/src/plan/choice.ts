import type { ClassTransformOptions } from 'class-transformer';
import type { CompileOptions } from './settings';

const FLAGS = [
  'whitelist',
  'forbidNonWhitelisted',
  'forbidUnknownValues',
  'skipMissingProperties',
  'skipNullProperties',
  'skipUndefinedProperties',
  'stopAtFirstError',
  'dismissDefaultMessages',
  'always',
  'strictGroups',
  'ignoreAsync',
  'hardened',
  'hidesParentValues',
] as const;

/** The options that affect compilation, by name and value; strings are quoted, so that keys are unique. */
export function choiceKey(options: CompileOptions, transform: ClassTransformOptions): string {
  let key = '';
  for (const flag of FLAGS) key += `${String(options[flag])},`;
  const { target, value } = options.validationError ?? {};
  key += `${String(target)},${String(value)}${quoted(options.groups)};`;
  const { version, strategy, groups, excludePrefixes } = transform;
  const { enableCircularCheck, enableImplicitConversion, exposeDefaultValues, exposeUnsetFields } = transform;
  const flags = [enableCircularCheck, enableImplicitConversion, exposeDefaultValues, exposeUnsetFields];
  const rest = [transform.excludeExtraneousValues, transform.ignoreDecorators, version, strategy];
  const maps = Boolean(transform.targetMaps);
  return `${key}${flags.join()},${rest.join()},${maps}${quoted(groups)}${quoted(excludePrefixes)}`;
}

function quoted(list: unknown): string {
  return list === undefined || list === null ? '' : JSON.stringify(list);
}

/** The options of class-transformer that affect compilation, with copies of the lists. */
export function ownTransformOptions(given: ClassTransformOptions): ClassTransformOptions {
  const { groups, excludePrefixes } = given;
  return {
    exposeUnsetFields: true,
    ...given,
    ...(groups && { groups: [...groups] }),
    ...(excludePrefixes && { excludePrefixes: [...excludePrefixes] }),
  };
}
