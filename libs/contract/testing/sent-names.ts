import type { WireClass } from '@app/engine';
import { sentMembers } from '../src/lock/sent-members';

/** Returns the names of all members that a class sends, at any depth. */
export function sentNames(type: WireClass): ReadonlySet<string> {
  const response = { type, shape: 'one', body: type, groups: [], options: {}, version: undefined } as const;
  const sent = sentMembers({ response, sends: 'class', mediaTypes: [] });
  return new Set(sent.flatMap(({ path }) => path.replace(/ .*$/, '').split(/[.[\]]+/)));
}
