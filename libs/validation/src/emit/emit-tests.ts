import { type Code, code, joined } from '@app/shapes';
import type { PlannedRule, PropertyPlan } from '../plan/plan';
import type { Settings } from '../plan/settings';
import type { ClassContext } from './make-context';
import { writeHolds } from './write-holds';

/** Generates the tests of a property's known rules on its converted value. A failure marks the property. */
export function writeTests(property: PropertyPlan, context: ClassContext): Code[] {
  const { known, transforms, isListed } = property;
  const { settings, layout } = context;
  if (!isListed)
    return settings.whitelist ? [code`        ${layout.markUnknown(code`${property.name}`)}`] : [];
  if (!known || !context.planner.isTried(property)) return [];
  const { defined } = known;
  const leaves = known.leaves.map((rule, at) => writeRule(rule, defined.length + at, property, context));
  const rest = skipping(settings, [...leaves, ...writeNested(property, context)]);
  const all = [...defined.map((rule, at) => writeRule(rule, at, property, context)), ...rest];
  if (all.length === 0) return [];
  const asked = whenAsked(known, code`final`);
  const block = asked ? [code`        if (${asked}) {\n${all}\n        }`] : all;
  // An object from a transform may be changed by the next one.
  if (transforms.length === 0) return block;
  const mark = layout.mark(property);
  return [
    code`        if (typeof final === 'object' && final !== null) ${mark}\n        else {\n${block}\n        }`,
  ];
}

/** A nested instance is tested during its creation; undefined may be valid, and `null` is not an instance. */
function writeNested(property: PropertyPlan, { layout }: ClassContext): Code[] {
  if (!property.known?.isNested) return [];
  const mark = layout.mark(property);
  return property.transforms.length > 0
    ? [code`        if (final !== undefined) ${mark}`]
    : [code`        if (typeof final !== 'object' ? final !== undefined : final === null) ${mark}`];
}

/** The condition of a property's rules, or `undefined` if they always apply. */
export function whenAsked(
  { isOptional, isIfGiven }: { readonly isOptional: boolean; readonly isIfGiven: boolean },
  value: Code,
): Code | undefined {
  if (isOptional) return code`${value} !== undefined && ${value} !== null`;
  return isIfGiven ? code`${value} !== undefined` : undefined;
}

function skipping(settings: Settings, checks: readonly Code[]): readonly Code[] {
  const skipped = [
    ...(settings.skipUndefined || settings.skipMissing ? [code`final !== undefined`] : []),
    ...(settings.skipNull || settings.skipMissing ? [code`final !== null`] : []),
  ];
  if (skipped.length === 0 || checks.length === 0) return checks;
  return [code`        if (${joined(skipped, ' && ')}) {\n${checks}\n        }`];
}

/** A rule that throws is called again in class-validator's order, and throws there. */
function writeRule(
  rule: PlannedRule,
  at: number,
  property: PropertyPlan,
  { scope, layout, functions }: ClassContext,
): Code {
  const holds = writeHolds(rule, code`final`, scope, functions);
  const line = code`if (!(${holds})) ${layout.markRule(property, at)}`;
  return rule.leaf.throws || rule.isEach
    ? code`        try { ${line} } catch { ${layout.mark(property)} }`
    : code`        ${line}`;
}
