import { type Finding, type GroupedSchema, type InputClass, readRules } from '@app/engine';
import { acceptFindings } from './accept-findings';
import type { InputFault } from './input-faults';
import { memberFindings } from './member-findings';
import { groupsOf } from './input-parts';
import { isInputClass, type RouteParameter } from './route-parameter';

/**
 * Finds input that would reach a handler without validation: missing classes, missing rules, unknown groups, parts without a
 * class, numbers that stay strings. The codes are in `inputFaults`.
 *
 * Skips parameters with their own pipe for a single field (`@Query('n', ParseIntPipe)`).
 */
export function parameterFindings(parameter: RouteParameter): readonly Finding[] {
  const { field, type, schema, groups, from } = parameter;
  if (field !== undefined) return fieldFindings(parameter, field);
  if (type === undefined) return [unseen(parameter)];
  const contradiction = schema && otherClass(schema, parameter);
  if (contradiction) return [contradiction];
  const unknown = groups.filter((group) => !groupsOf(type).has(group));
  if (unknown.length > 0) return unknown.map((group) => unknownGroup(type, group));
  return readRules(type, { groups }).isEmpty
    ? [unruled(type)]
    : [...memberFindings(type, { groups, isText: from !== 'body' }), ...acceptFindings(type, groups)];
}

const words = { body: 'body', query: 'query', path: 'path' };

function unseen({ from, index }: RouteParameter): Finding {
  return finding('SLUICE-C101', {
    problem: `its ${words[from]} (parameter ${index + 1}) has no class at run time`,
    remedy: 'Give the parameter a class, imported without "type"',
  });
}

function otherClass({ type }: GroupedSchema, { noted, index }: RouteParameter): Finding | undefined {
  if (!isInputClass(noted) || noted === type) return undefined;
  return finding('SLUICE-C102', {
    problem: `parameter ${index + 1} has the class ${noted.name}, and inGroups() has ${type.name}`,
    remedy: 'Use the same class in both places',
  });
}

function unknownGroup(type: InputClass, group: string): Finding {
  const groups = [...groupsOf(type)].toSorted();
  const remedy =
    groups.length > 0 ? `Use one of its groups: ${groups.join(', ')}` : 'Remove the group: it has none';
  return finding('SLUICE-C104', { problem: `no rule of ${type.name} has the group '${group}'`, remedy });
}

function unruled(type: InputClass): Finding {
  return finding('SLUICE-C103', {
    problem: `${type.name} has no rules`,
    remedy: 'Declare at least one rule for each of its members',
    place: { type },
  });
}

/**
 * Finds faults in a single field. A path parameter is always a string, a query field may be a list, and a body field may be
 * anything.
 */
function fieldFindings({ from, noted, type, pipes }: RouteParameter, field: string): Finding[] {
  if (pipes.length > 0) return [];
  if (noted === Number || noted === Boolean) return [textual(noted === Number, field)];
  const isRuled = type !== undefined && !readRules(type, {}).isEmpty;
  if (from === 'path' || isRuled) return [];
  return [
    finding('SLUICE-C110', {
      problem: `it takes the field '${field}' of its ${words[from]} without validation`,
      remedy: `Take the whole ${words[from]} by a class, with a rule for '${field}'`,
    }),
  ];
}

function textual(isNumber: boolean, field: string): Finding {
  const [code, kind, rule] = isNumber
    ? (['SLUICE-C108', 'number', 'WholeNumber'] as const)
    : (['SLUICE-C109', 'boolean', 'TrueOrFalse'] as const);
  return finding(code, {
    problem: `'${field}' is declared as a ${kind}, and is not converted`,
    remedy: `Take it by a class, with @${rule}() on it`,
  });
}

function finding(code: InputFault, rest: Omit<Finding, 'code'>): Finding {
  return { code, ...rest };
}
