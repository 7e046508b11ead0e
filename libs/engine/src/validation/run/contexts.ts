import type { PropertyRules, ValueRule } from '../../shapes/rules/rule-shape';
import { type Declared, type PropertyError } from './property-error';

/** A failed rule's context and message key. */
export interface NamedContext {
  readonly name: string;
  readonly context: unknown;
}

/** The contexts for a property, in class-validator's order. */
export interface Contexts {
  /** The contexts that are added after the rules that run even if the property is skipped. */
  readonly defined: readonly NamedContext[];
  /** The contexts after all rules. The contexts of value rules occur twice, so that they override contexts with the same name. */
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

/** Returns the context key, which the rule's first validator determines. For `IsDefined`, the key is its type. */
function nameOf(rule: Declared, rules: PropertyRules | undefined): string {
  const leaf = rules?.leaves.find(({ declared }) => declared === rule);
  return leaf ? constraintName(leaf, leaf.validators[0]) : rule.type;
}

/** Returns a failed rule's key in `constraints`. */
export function constraintName(
  { declared }: ValueRule,
  validator: ValueRule['validators'][number] | undefined,
): string {
  return validator?.name ? validator.name : declared.type;
}
