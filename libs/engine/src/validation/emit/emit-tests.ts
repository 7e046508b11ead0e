import { type Code, code } from '../../shapes/code/code';
import type { KnownRules, PlannedRule, PropertyPlan } from '../plan/plan';
import { type ClassContext, FAILED } from './make-context';
import { unlessOptional, unlessSkipped, writeHolds } from './write-holds';

/** Generates the tests of a property's rules on its converted value. */
export function writeTests(
  { known, transforms, isListed }: PropertyPlan,
  context: ClassContext,
): readonly Code[] {
  const { settings } = context;
  if (!isListed || !known) return settings.whitelist ? [code`        ${FAILED}`] : [];
  const rest = [
    ...known.leaves.map((rule) => writeRule(rule, context)),
    ...writeNested(known, transforms.length > 0),
  ];
  const all = [
    ...known.defined.map((rule) => writeRule(rule, context)),
    ...unlessSkipped(settings, code`final`, rest),
  ];
  if (all.length === 0) return [];
  const block = unlessOptional(known, code`final`, all);
  // An object from a transform may be changed by the next one.
  return transforms.length === 0
    ? block
    : [
        code`        if (typeof final === 'object' && final !== null) ${FAILED}\n        else {\n${block}\n        }`,
      ];
}

/** A nested instance is tested during its creation; undefined may be valid, and `null` is not an instance. */
function writeNested({ isNested }: KnownRules, isTransformed: boolean): Code[] {
  if (!isNested) return [];
  return isTransformed
    ? [code`        if (final !== undefined) ${FAILED}`]
    : [code`        if (typeof final !== 'object' ? final !== undefined : final === null) ${FAILED}`];
}

/**
 * A rule that throws is called again in class-validator's order, and throws there. A function of the library takes longer
 * than all other tests: it is not called if one failed.
 */
function writeRule(rule: PlannedRule, { scope, functions }: ClassContext): Code {
  const unlessFailed = rule.how === 'called directly' ? code`!run.failed && ` : code``;
  const line = code`if (${unlessFailed}!(${writeHolds(rule, code`final`, scope, functions)})) ${FAILED}`;
  return rule.throws || rule.isEach
    ? code`        try { ${line} } catch { ${FAILED} }`
    : code`        ${line}`;
}
