/** No `package.json` was found above the built program. Aborts the start. */
export class ManifestMissingError extends Error {
  override readonly name = 'ManifestMissingError';

  constructor(readonly folder: string) {
    super(
      `There is no package.json in ${folder} or above it. Keep the built program below its package.json.`,
    );
  }
}
