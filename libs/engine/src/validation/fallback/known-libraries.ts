import { whyNoRules } from '../../shapes/not-compiled';

/**
 * Whether both libraries behave like tested versions and are loaded once. Otherwise a program must use the libraries that it
 * loads itself, because ours may differ.
 */
export function areLibrariesKnown(): boolean {
  return whyNoRules() === undefined;
}
