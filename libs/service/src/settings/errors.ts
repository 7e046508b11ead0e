/** One thing that is wrong with the settings. */
export interface SettingsProblem {
  /** The environment variable. */
  readonly name: string;
  /** What is wrong and what to do, as the end of a sentence that starts with the name. Shows no secret. */
  readonly problem: string;
}

/** The environment does not say what the program needs to know. Ends the start; has every problem at once. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly SettingsProblem[]) {
    super(problems.map(({ name, problem }) => `${name} ${problem}`).join('\n'));
  }
}
