/** The installed versions that a suite runs with. */
export interface Versions {
  readonly 'class-validator': string;
  readonly 'class-transformer': string;
  readonly validator: string;
}

const transformer = '0.5.1';

/**
 * The supported versions of class-validator, each with versions of validator.js that its range allows. The newest validator.js is
 * `latest`.
 */
const VALIDATORS: readonly (readonly [classValidator: string, validators: readonly string[]])[] = [
  ['0.13.2', ['13.7.0', '13.12.0', 'latest']],
  ['0.14.1', ['13.9.0', '13.11.0', '13.15.0', '13.15.15', 'latest']],
  ['0.14.4', ['13.15.22', 'latest']],
  ['0.15.1', ['13.15.20', '13.15.22', 'latest']],
];

/** The versions to run the suite of each library with. */
export const VERSIONS: Readonly<Record<string, readonly Versions[]>> = {
  'class-validator': VALIDATORS.flatMap(([version, validators]) =>
    validators.map((validator) => ({
      'class-validator': version,
      'class-transformer': transformer,
      validator,
    })),
  ),
  'class-transformer': ['0.5.0', transformer].map((version) => ({
    'class-validator': '0.15.1',
    'class-transformer': version,
    validator: 'latest',
  })),
};

/**
 * The modules that stand for the sources that a suite imports. The engine replaces the library's exports; what the library does
 * not export, it takes from its files.
 */
export const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'class-validator': [
    'class-validator/cjs/validation/ValidationUtils.js',
    'class-validator/cjs/utils/index.js',
  ],
  'class-transformer': [
    'class-transformer/cjs/storage.js',
    'class-transformer/cjs/TransformOperationExecutor.js',
  ],
};
