import type { TypeRule } from '@app/engine';

/** A class of a member's value. */
interface MemberPart {
  readonly part: Function;
  /** The suffix after the member name in nested paths: `(kind=card)` if the value selects the class. */
  readonly suffix: string;
}

/** The class in the `@Type` of a member, as far as it is known without a value. */
export function namedPart({ typeFunction }: Partial<TypeRule> = {}): readonly MemberPart[] {
  const named: unknown = typeFunction?.length === 0 ? typeFunction() : undefined;
  return typeof named === 'function' ? [{ part: named, suffix: '' }] : [];
}

/** The classes that the discriminator of a member selects. */
export function selectedParts({ discriminator }: Partial<TypeRule> = {}): readonly MemberPart[] {
  const { property = '', subTypes = [] } = discriminator ?? {};
  return subTypes.map(({ name, value }) => ({ part: value, suffix: `(${property}=${name})` }));
}
