import * as ofTheLibrary from './errors';
import { ReauthenticationRequiredError } from './facets/recent.facet';
import { UnverifiedEmailError } from './facets/verified.facet';

const catalogue = { ...ofTheLibrary, ReauthenticationRequiredError, UnverifiedEmailError };

const {
  CommonPasswordError,
  ContradictoryRouteError,
  ForbiddenError,
  SignInOverloadError,
  InterchangeableTokensError,
  KeyFileError,
  CallerRejectedError,
  InsufficientScopeError,
  PasswordChangeRequiredError,
  SecretFileError,
  UnauthenticatedError,
  UndetectableCredentialsError,
  UnenforcedScopesError,
  UnknownRoleError,
  UnknownScopeError,
  UnknownStrategyError,
} = catalogue;

const cause = new Error('the cause');
const EXAMPLES = [
  new UnauthenticatedError({ cause }),
  new ForbiddenError('only its author may change a post', { cause }),
  new CallerRejectedError({ status: 403, message: 'This account is disabled' }, { cause }),
  new ReauthenticationRequiredError(),
  new UnverifiedEmailError(),
  new PasswordChangeRequiredError(),
  new InsufficientScopeError(['items:write']),
  new CommonPasswordError('common'),
  new SignInOverloadError(2000),
  new UnknownStrategyError('HomeController.read', 'api-key', ['jwt', 'invitation']),
  new UnknownRoleError('HomeController.read', 'boss', ['user', 'admin']),
  new UnknownScopeError('HomeController.read', 'itmes:read', ['read', 'write']),
  new UnenforcedScopesError('HomeController.read'),
  new ContradictoryRouteError('HomeController.read', '@Roles()'),
  new UndetectableCredentialsError('HomeController.read', 'visitor'),
  new InterchangeableTokensError(['jwt', 'invitation']),
  new KeyFileError('/data/jwt-keys.json', 'has no key', { cause }),
  new SecretFileError('/data/jwt.secret', 'cannot be read.', { cause }),
];

describe('the catalogue of errors', () => {
  it('has an example of every class', () => {
    expect(EXAMPLES.map(({ constructor }) => constructor)).toEqual(
      expect.arrayContaining(Object.values(catalogue)),
    );
    expect(EXAMPLES).toHaveLength(Object.keys(catalogue).length);
  });

  it.each(EXAMPLES)('$name has its own name and a message of full sentences', (error) => {
    expect(error.name).toBe(error.constructor.name);
    expect(error.message).toMatch(/^[A-Z].*\.$/s);
  });

  it('has the replies of the specification, and keeps the cause for the log', () => {
    expect(new UnauthenticatedError({ cause })).toMatchObject({
      cause,
      reply: { status: 401, message: 'Unauthorized', headers: { 'WWW-Authenticate': 'Bearer' } },
    });
    expect(new ForbiddenError('only its author may').reply).toMatchObject({
      status: 403,
      message: 'only its author may',
    });
    expect(new SignInOverloadError(2000).reply).toMatchObject({
      status: 503,
      message: 'The service is busy, try again later',
      headers: { 'Retry-After': '2' },
    });
  });

  it('has a stack trace only for programming and configuration errors', () => {
    const withTrace = EXAMPLES.filter(({ stack }) => /\n\s+at /.test(stack ?? ''));
    expect(withTrace).toEqual(EXAMPLES.slice(9));
  });

  it('has its facts in fields', () => {
    expect(EXAMPLES[9]).toMatchObject({ strategy: 'api-key', registered: ['jwt', 'invitation'] });
    expect(EXAMPLES[17]).toMatchObject({ path: '/data/jwt.secret', cause });
  });

  it('is a TypeError for programming errors', () => {
    expect(EXAMPLES.slice(9, 14).every((error) => error instanceof TypeError)).toBe(true);
  });
});
