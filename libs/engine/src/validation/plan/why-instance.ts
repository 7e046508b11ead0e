import { nameOfClass } from '../../shapes/named';
import type { ClassPlan, PropertyPlan } from './plan';
import type { Planner } from './planner';

/** Matches a type function that reads a name only, so that an additional call has no effect. */
const NAMES_CLASS = /^\(\s*\)\s*=>\s*[\w$]+(?:\.[\w$]+)*$/;

/**
 * Returns the class or the member that can only be validated in an instance, or `undefined` if a program cannot observe whether
 * an instance is created.
 */
export function whyInstance(plan: ClassPlan, planner: Planner): string | undefined {
  const { isCopied, properties, shape, type } = plan;
  const isPlain = isCopied && shape.exposed.length === 0 && !planner.isEndless(plan);
  const name = nameOfClass(type) || 'a class without a name';
  if (!isPlain) return name;
  for (const property of properties) {
    const part = planner.partOf(property.content);
    if (!isTestable(property, plan, part)) return `${name}.${property.name}`;
    const why = part && whyInstance(part, planner);
    if (why !== undefined) return why;
  }
  return planner.isTestable(plan) ? undefined : name;
}

function isTestable(
  { content, isListed, planned, name, reading, transforms }: PropertyPlan,
  { fields, shape }: ClassPlan,
  part: ClassPlan | undefined,
): boolean {
  if (!isListed || !planned || reading || transforms.length > 0 || fields?.[name] !== undefined) return false;
  if (!planned.isNested) return content.type === undefined && !content.typeFunction;
  return part !== undefined && NAMES_CLASS.test(String(shape.typeOf.get(name)?.typeFunction));
}
