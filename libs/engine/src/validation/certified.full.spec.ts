import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateOf, type Recipe } from '../../testing/validation/certify/bundle';

const CASES = Number(process.env['FUZZ_CASES'] ?? 1200);

const asPackages = { bundler: 'esbuild', format: 'cjs', mainFields: ['main'] } as const;

/** Versions of the libraries, and how they are recognised. */
const VERSIONS: readonly [what: string, known: string, recipe: Recipe][] = [
  ['class-validator 0.15.1', '0.15', asPackages],
  [
    'class-validator 0.14.4',
    '0.14.2 to 0.14.4',
    { ...asPackages, alias: { 'class-validator': 'class-validator-0.14' } },
  ],
  [
    'class-validator 0.14.0',
    '0.14.0',
    { ...asPackages, alias: { 'class-validator': 'class-validator-0.14.0' } },
  ],
  [
    'class-validator 0.13.2',
    '0.13.2',
    { ...asPackages, alias: { 'class-validator': 'class-validator-0.13' } },
  ],
  [
    'class-transformer 0.5.0',
    '0.15',
    { ...asPackages, alias: { 'class-transformer': 'class-transformer-0.5.0' } },
  ],
];

const BUNDLES: readonly [what: string, recipe: Recipe][] = [
  ['esbuild, as a module', { bundler: 'esbuild', format: 'esm', mainFields: ['main', 'module'] }],
  ['rolldown, as CommonJS', { bundler: 'rolldown', format: 'cjs', mainFields: ['main', 'module'] }],
  ['rolldown, as a module', { bundler: 'rolldown', format: 'esm', mainFields: ['main', 'module'] }],
  ['webpack, as CommonJS', { bundler: 'webpack', format: 'cjs', mainFields: ['main', 'module'] }],
  ['esbuild, of ES modules', { bundler: 'esbuild', format: 'esm', mainFields: ['module', 'main'] }],
  ['rolldown, of ES modules', { bundler: 'rolldown', format: 'esm', mainFields: ['module', 'main'] }],
  ['webpack, of ES modules', { bundler: 'webpack', format: 'cjs', mainFields: ['module', 'main'] }],
];

describe('the libraries of a program', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'certify-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it.each(VERSIONS)(
    'are compiled for, with equal results: %s',
    { timeout: 120_000 },
    async (_what, expected, recipe) => {
      const { difference, ...certificate } = await certificateOf(recipe, folder, CASES);
      expect(difference).toBeUndefined();
      expect(certificate).toMatchObject({ validator: expected, transformer: '0.5', how: 'code' });
      expect(new Set(certificate.rules)).toEqual(new Set(['written out']));
      expect(certificate.cases).toBeGreaterThanOrEqual(CASES);
    },
  );

  it.each(BUNDLES)('are compiled for in a bundle of %s', { timeout: 120_000 }, async (_what, recipe) => {
    const { difference, ...certificate } = await certificateOf(recipe, folder, CASES);
    expect(difference).toBeUndefined();
    expect(certificate).toMatchObject({ validator: '0.15', transformer: '0.5', how: 'code' });
    expect(new Set(certificate.rules)).toEqual(new Set(['written out']));
  });
});
