/** The error for a built program without a `package.json` in any folder above it. It aborts the start. */
export class ManifestMissingError extends Error {
  override readonly name = 'ManifestMissingError';

  constructor(readonly folder: string) {
    super(
      `There is no package.json in ${folder} or above it. Keep the built program below its package.json.`,
    );
  }
}
