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
] as const;

/** All that decides how a class is written, by name and value; texts are quoted, so that two choices never share a key. */
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

/** The part of class-transformer's options that decides, with lists that nobody else holds. */
export function ownTransformOptions(given: ClassTransformOptions): ClassTransformOptions {
  const { groups, excludePrefixes } = given;
  return {
    exposeUnsetFields: true,
    ...given,
    ...(groups && { groups: [...groups] }),
    ...(excludePrefixes && { excludePrefixes: [...excludePrefixes] }),
  };
}
