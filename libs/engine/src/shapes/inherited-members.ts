import { declaredRules } from './rules/scratch';
import { ancestry } from './transforms/declared-rules';
import { invalidateAll, storage } from './transforms/storage';

/**
 * Prepares a class whose members both bodies and responses inherit: its rules that name no group run in every group, as with `always`, and
 * `@Expose` says what is sent, not what is accepted. Repeating it changes nothing.
 */
export function prepareInheritedMembers(target: Function): void {
  for (const one of ancestry(target)) {
    for (const rule of declaredRules(one as Function)) {
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
