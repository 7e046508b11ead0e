import { declaredRules } from './rules/scratch';
import { ancestry } from './transforms/declared-rules';
import { invalidateAll, storage } from './transforms/storage';

/**
 * Prepares a class with members that both bodies and responses inherit. Its rules without groups run in every group, as with
 * `always`. Its `@Expose` declarations apply to responses only. Repeating the call has the same effect.
 */
export function prepareInheritedMembers(target: Function): void {
  for (const ancestor of ancestry(target)) {
    for (const rule of declaredRules(ancestor as Function)) {
      // Absent without options, whatever class-validator's type says.
      const { groups = [] } = rule as { groups?: readonly string[] };
      if (groups.length === 0) rule.always = true;
    }
  }
  for (const exposed of storage.getExposedMetadatas(target)) {
    const { options } = exposed;
    if (options?.toClassOnly || options?.toPlainOnly) continue;
    Object.assign(exposed, { options: { ...options, toPlainOnly: true } });
    invalidateAll();
  }
}
