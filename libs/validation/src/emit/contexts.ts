import type { PropertyRules, ValueRule } from '@app/shapes';
import { type Declared, type PropertyError } from './property-error';

/** A context that a rule gives when it fails, and the key of the rule's message. */
export interface NamedContext {
  readonly name: string;
  readonly context: unknown;
}

/** The contexts of a property in the order in which class-validator gives them. */
export interface Contexts {
  /** After the rules that run whatever is skipped. */
  readonly defined: readonly NamedContext[];
  /** After all rules. Those of values come twice, so that they win over others of their name. */
  readonly all: readonly NamedContext[];
}

/** Lists the contexts that the rules of a property give. */
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

/** Gives contexts to an error whose rules failed. */
export function giveContexts(contexts: readonly NamedContext[], error: PropertyError): void {
  for (const { name, context } of contexts) error.addContext(name, context);
}

/** The first validator of a class names its context; `IsDefined` is known by its type alone. */
function nameOf(rule: Declared, rules: PropertyRules | undefined): string {
  const leaf = rules?.leaves.find(({ declared }) => declared === rule);
  return leaf ? constraintName(leaf, leaf.validators[0]) : rule.type;
}

/** Under which key a failed rule stands in `constraints`. */
export function constraintName(
  { declared }: ValueRule,
  validator: ValueRule['validators'][number] | undefined,
): string {
  return validator?.name ? validator.name : declared.type;
}
