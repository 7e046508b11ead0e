import { hasPlainPrototype, isFunction, isObject } from '../../shapes/values';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import type { Planner } from '../plan/planner';
import { NEVER_FIELDS } from './members';

/** The bounds are well below the `inspectInput` bounds; larger input is checked completely. */
const MOST_DEPTH = 30;
const MOST_FIELDS = 900;
const MOST_OBJECTS = 4000;

/** The state of the check so far. */
interface Look {
  readonly planner: Planner;
  objects: number;
}

/**
 * Whether hardening would certainly leave an input unchanged and accept it. Such an input has few enough fields and objects. It
 * is free from member names and unpaired surrogates, and has objects and booleans wherever they are expected.
 *
 * @returns `false` also if that is uncertain
 */
export function isClear(plan: ClassPlan, value: object, planner: Planner): boolean {
  return hasPlainPrototype(value) && isClearObject(plan, value, 0, { planner, objects: 0 });
}

function isClearObject(plan: ClassPlan, value: object, depth: number, look: Look): boolean {
  const keys = Object.keys(value);
  look.objects += 1;
  if (depth > MOST_DEPTH || keys.length > MOST_FIELDS || look.objects > MOST_OBJECTS) return false;
  for (const key of keys) {
    const raw = (value as Record<string, unknown>)[key];
    const property = plan.byKey.get(key);
    if (
      property
        ? !isClearProperty(property, raw, depth + 1, look)
        : !isClearUnknown(plan, key, raw, depth + 1, look)
    )
      return false;
  }
  return true;
}

function isClearUnknown(plan: ClassPlan, key: string, raw: unknown, depth: number, look: Look): boolean {
  const isMember = key in (plan.type.prototype as object) || NEVER_FIELDS.has(key);
  return plan.fields !== undefined && !isMember && key.isWellFormed() && isClearValue(raw, depth, look);
}

function isClearProperty({ content, rules }: PropertyPlan, raw: unknown, depth: number, look: Look): boolean {
  if (content.type === Boolean) return raw === undefined || raw === null || typeof raw === 'boolean';
  if (!isObject(raw)) return isClearValue(raw, depth, look);
  if (content.isDiscriminated) return false;
  const part = look.planner.partOf(content);
  if (!part)
    return rules.nested.length === 0 && content.typeFunction === undefined && isClearValue(raw, depth, look);
  if (!Array.isArray(raw)) return isClearPart(part, raw, depth, look);
  look.objects += 1;
  const takesList =
    content.arrayType === undefined || content.arrayType === Array || content.arrayType === Object;
  return (
    takesList &&
    raw.every((element) => !Array.isArray(element) && isClearPart(part, element, depth + 1, look))
  );
}

function isClearPart(part: ClassPlan, raw: unknown, depth: number, look: Look): boolean {
  return isObject(raw)
    ? hasPlainPrototype(raw) && isClearObject(part, raw, depth, look)
    : isClearValue(raw, depth, look);
}

/** Whether a value that is not converted to a nested class is clear. */
function isClearValue(value: unknown, depth: number, look: Look): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (!isObject(value)) return !isFunction(value);
  look.objects += 1;
  if (depth > MOST_DEPTH || look.objects > MOST_OBJECTS) return false;
  if (Array.isArray(value)) return value.every((element) => isClearValue(element, depth + 1, look));
  const keys = Object.keys(value);
  if (!hasPlainPrototype(value) || keys.length > MOST_FIELDS) return false;
  return keys.every((key) => {
    if (key in Object.prototype || NEVER_FIELDS.has(key) || !key.isWellFormed()) return false;
    return isClearValue((value as Record<string, unknown>)[key], depth + 1, look);
  });
}
