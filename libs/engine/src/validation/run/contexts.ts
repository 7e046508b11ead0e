import type { PropertyRules, ValueRule } from '../../shapes/rules/rule-shape';
import { type Declared, type PropertyError } from './property-error';

/** The context of a failed rule, and the key of the rule's message. */
export interface NamedContext {
  readonly name: string;
  readonly context: unknown;
}

/** The contexts of a property in class-validator's order. */
export interface Contexts {
  /** After the rules that run even if the property is skipped. */
  readonly defined: readonly NamedContext[];
  /** After all rules. Those of value rules occur twice, so that they override others with the same name. */
  readonly all: readonly NamedContext[];
}

/** Lists the contexts of a property's rules. */
export function contextsOfProperty(rules: PropertyRules): Contexts {
  return {
    defined: contextsOf(
      rules.defined.map(({ declared }) => declared),
      rules,
    ),
    all: [
      ...contextsOf(rules.declared, rules),
      ...contextsOf(
        rules.leaves.map(({ declared }) => declared),
        rules,
      ),
    ],
  };
}

/** Lists the contexts of some rules. */
export function contextsOf(declared: readonly Declared[], rules?: PropertyRules): readonly NamedContext[] {
  return [...new Set(declared)]
    .filter(({ context }) => context)
    .map((rule) => ({ name: nameOf(rule, rules), context: rule.context }));
}

/** Adds contexts to an error with failed rules. */
export function giveContexts(contexts: readonly NamedContext[], error: PropertyError): void {
  for (const { name, context } of contexts) error.addContext(name, context);
}

/** The first validator of a rule determines the key of its context; that of `IsDefined` is its type. */
function nameOf(rule: Declared, rules: PropertyRules | undefined): string {
  const leaf = rules?.leaves.find(({ declared }) => declared === rule);
  return leaf ? constraintName(leaf, leaf.validators[0]) : rule.type;
}

/** The key of a failed rule in `constraints`. */
export function constraintName(
  { declared }: ValueRule,
  validator: ValueRule['validators'][number] | undefined,
): string {
  return validator?.name ? validator.name : declared.type;
}
