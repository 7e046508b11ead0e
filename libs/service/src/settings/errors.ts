/** A problem in the settings. */
export interface SettingsProblem {
  /** The environment variable. */
  readonly name: string;
  /** The fault and its remedy, as the rest of a sentence that starts with the name. It contains no secret. */
  readonly problem: string;
}

/** The error for missing or invalid settings in the environment. It aborts the start and lists every problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly SettingsProblem[]) {
    super(problems.map(({ name, problem }) => `${name} ${problem}`).join('\n'));
  }
}
