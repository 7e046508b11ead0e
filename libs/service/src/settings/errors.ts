/** One problem of the settings. */
export interface SettingsProblem {
  /** The environment variable. */
  readonly name: string;
  /** What is wrong and what to do, as the rest of a sentence that starts with the name. Contains no secret. */
  readonly problem: string;
}

/** The environment is missing settings, or has invalid ones. Aborts the start; has every problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly SettingsProblem[]) {
    super(problems.map(({ name, problem }) => `${name} ${problem}`).join('\n'));
  }
}
