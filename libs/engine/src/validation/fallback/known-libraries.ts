import { whyNoRules } from '../../shapes/not-compiled';

/**
 * Whether both libraries behave as tested versions do, and are loaded once. Otherwise a program must keep to those that it
 * loads itself: ours may be others.
 */
export function areLibrariesKnown(): boolean {
  return whyNoRules() === undefined;
}
