import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { HttpError, type ProblemType } from '@app/http-errors';
import layout from '../../../../test/layout/layout.json';
import { sharedProblems } from './shared-problems';

/** Errors that only the routes have which declare them. */
const declaredByRoutes = [
  'common-password',
  'current-password-required',
  'email-conflict',
  'factor-not-found',
  'identity-conflict',
  'invalid-email-link',
  'invalid-reset-token',
  'invalid-signature',
  'invitation-required',
  'last-administrator',
  'last-factor',
  'mfa-required',
  'no-pending-verification',
  'no-public-url',
  'password-sign-in-required',
  'profile-conflict',
  'session-not-found',
  'sign-up-off',
  'too-many-api-keys',
  'too-many-attempts',
  'too-many-email-links',
  'too-many-refreshes',
  'too-many-resets',
  'too-many-sign-ups',
  'unchanged-password',
  'untrusted-page',
  'value-conflict',
];

/** A way to sign in declares its errors by its routes. */
const ofWays = /\bways\b/;

/** A plugin declares its errors. */
const ofPlugins = new RegExp(`^libs/(?:${layout.layers.plugins.join('|')})/`);

/** Classes whose reply comes from somebody else, or is made from one of several kinds. */
const withoutOwnKind = new Set(['CallerRejectedError', 'ForbiddenKeyError']);

/** The classes of errors with a reply, from the libraries' catalogues. */
async function errorClasses(): Promise<(Function & { readonly problem?: ProblemType })[]> {
  const root = process.cwd();
  const files = globSync('libs/*/src/**/errors.ts', { cwd: root }).filter(
    (file) => !ofWays.test(file) && !ofPlugins.test(file),
  );
  const modules = await Promise.all(files.map((file) => import(resolve(root, file)) as Promise<object>));
  return modules
    .flatMap((library) => Object.values(library) as unknown[])
    .filter((value) => typeof value === 'function' && value.prototype instanceof HttpError)
    .map((value) => value as Function & { readonly problem?: ProblemType });
}

describe('the kinds of errors', () => {
  it('are one of each class, known to every program or declared by routes', async () => {
    const classes = await errorClasses();
    expect(classes.length).toBeGreaterThan(40);
    const codes = classes.flatMap(({ name, problem }) =>
      withoutOwnKind.has(name) ? [] : [problem?.code ?? `${name} has no problem`],
    );
    const sharedCodes = new Set(sharedProblems().map(({ code }) => code));
    expect(codes.filter((code) => !sharedCodes.has(code)).toSorted()).toEqual(declaredByRoutes);
  });

  it('have one code each', () => {
    const codes = sharedProblems().map(({ code }) => code);
    const twice = codes.filter((code, at) => codes.indexOf(code) !== at);
    expect(twice).toEqual([]);
  });

  it('say what to do, in sentences', () => {
    for (const { code, title, remedy } of sharedProblems()) {
      expect([code, title]).toEqual([code, expect.stringMatching(/^[A-Z]/)]);
      expect([code, remedy]).toEqual([code, expect.stringMatching(/^[A-Z`].*\.$/)]);
    }
  });
});
