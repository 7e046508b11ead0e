import { closestName, type Declarations, declared, withMembers } from '@app/settings';
import type { SettingsProblem } from './errors';
import type { Environment } from './read-settings';
import { removedNames } from './removed-names';

/** The number of settings from which their first word is ours, so that no other program's variables begin with it. */
const OWN_FROM = 3;
/** The prefix of names that OpenTelemetry defines. A program reads a few. */
const standardPrefix = 'OTEL_';

/**
 * Finds variables that look like a setting but are unknown: a removed or misspelt name, or a name that begins like settings.
 *
 * @param declarations every setting of the program
 */
export function unknownNames(declarations: Declarations, env: Environment): readonly SettingsProblem[] {
  const names = withMembers(declarations).map(([name]) => name);
  const declaredNames = new Set(names);
  const families = Object.keys(declarations).filter((name) => declared(declarations[name]).members);
  const isOfFamily = (name: string) => families.some((family) => name.startsWith(prefixOf(family)));
  const ownPrefixes = Map.groupBy(names, prefixOf);
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (value === '' || declaredNames.has(name) || isOfFamily(name) || isServiceLink(name, value)) return [];
    const instead = removedNames.get(name);
    if (instead !== undefined) return [{ name, problem: `is gone: ${instead}. Remove ${name}.` }];
    const meant = closestName(name, names) ?? closestForm(name, names);
    if (meant !== undefined)
      return env[meant] === value ? [] : [{ name, problem: `is not a setting. Write ${meant}.` }];
    const siblings = ownPrefixes.get(prefixOf(name)) ?? [];
    if (siblings.length < OWN_FROM || ['', standardPrefix].includes(prefixOf(name))) return [];
    return [{ name, problem: `is not a setting: there are ${siblings.join(', ')}. Remove or correct it.` }];
  });
}

/** Returns the form of a family's variable: `OIDC_<NAME>_ISSUER` for `ODIC_GOOGLE_ISSUER`. */
function closestForm(name: string, forms: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  return forms.find((form) => {
    const [start = '', end] = form.split('<NAME>');
    const isStart = (length: number) => closestName(upper.slice(0, length), [start]) !== undefined;
    return end && upper.endsWith(end) && [-1, 0, 1].some((by) => isStart(start.length + by));
  });
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}

/** Returns whether Kubernetes sets a variable for a service in its namespace, such as `DATABASE_PORT=tcp://10.0.0.1:5432`. */
function isServiceLink(name: string, value: string): boolean {
  return (
    /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$/.test(name) ||
    (name.endsWith('_PORT') && /^\w+:\/\//.test(value))
  );
}
