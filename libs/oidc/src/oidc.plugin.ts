import { identityAccess, SignInServices } from '@app/accounts';
import { isIssuerUrl } from '@app/auth';
import { inSection } from '@app/contract';
import { definePlugin } from '@app/service';
import { family, onOrOff, setting } from '@app/settings';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { OidcAuthorizations } from './oidc-authorizations';
import { OidcProvider, OidcProviders, type OidcRules } from './oidc-provider';
import { OidcSignIn } from './oidc-sign-in';
import { OidcController } from './oidc.controller';
import { OidcFactor } from './oidc.factor';

const settings = {
  'OIDC_<NAME>': family({
    ISSUER: setting(
      (text) => (isIssuerUrl(text) ? text : undefined),
      'must be the URL of an issuer, as its metadata has it: https, or http of this machine, without a query',
    )
      .describe(
        'Issuer of an OpenID Connect provider for signing in. Each provider has a name: `OIDC_GOOGLE_ISSUER` belongs to `google`.',
      )
      .meta({ examples: ['https://accounts.google.com'] }),
    CLIENT_ID: z
      .string()
      .describe('Client ID at the provider, with the redirect URI `APP_URL` followed by `/sign-in/<name>`.')
      .meta({ examples: ['sluice'] }),
    CLIENT_SECRET: z.string().describe('Client secret at the provider.').meta({ secret: true }),
    SCOPES: setting(
      (text) => (text.split(' ').includes('openid') ? text : undefined),
      'must be scopes that are separated by spaces, openid among them',
    )
      .prefault('openid email')
      .describe('Scopes to request from the provider.')
      .meta({ examples: ['openid email profile'] }),
    RESPONSE_MODE: z
      .enum(['query', 'form_post'], { error: 'must be query or form_post' })
      .default('query')
      .describe(
        'How the provider returns users: `query`, or `form_post` for a POST to the redirect URI. Apple requires `form_post` for the scopes `email` and `name`.',
      )
      .meta({ examples: ['form_post'] }),
    TRUST_EMAIL: onOrOff()
      .default('off')
      .describe(
        "Whether the provider's verified e-mails count as verified. A new identity is then linked to the account that has verified the same e-mail. Use it only for a provider that verifies e-mails itself.",
      )
      .meta({ examples: ['on'] }),
    EMAIL_VERIFIED_TEXT: onOrOff()
      .default('off')
      .describe(
        'Whether the text `"true"` counts as `true` in `email_verified`, for providers such as Apple or Amazon Cognito.',
      )
      .meta({ examples: ['on'] }),
    CREATE_ACCOUNTS: onOrOff()
      .default('on')
      .describe(
        'Whether a new identity gets a new account. With `off`, only users with a linked account sign in.',
      )
      .meta({ examples: ['off'] }),
    AUTH_TIME: onOrOff()
      .default('on')
      .describe(
        'Whether routes that require a recent sign-in need `auth_time` in the ID token. With `off`, a sign-in without `auth_time` counts as recent. Use `off` only for a provider without `auth_time`, such as Google.',
      )
      .meta({ examples: ['off'] }),
  }),
};

type Sets = NonNullable<z.output<(typeof settings)['OIDC_<NAME>']>>;

/** The plugin of identity providers, through which users sign in by OpenID Connect. */
export function oidc() {
  return definePlugin({
    name: 'oidc',
    settings,
    controllers: inSection('accounts', [OidcController]),
    providers: ({ 'OIDC_<NAME>': sets = [] }) => [
      OidcAuthorizations,
      OidcFactor,
      OidcSignIn,
      {
        provide: OidcProviders,
        inject: [SignInServices],
        useFactory: ({ appUrl }: SignInServices) => new OidcProviders(providersOf(sets, appUrl)),
      },
    ],
    factors: [
      {
        kind: OidcFactor.kind,
        provide: OidcFactor,
        rank: 60,
        access: identityAccess,
        scopedCallers: [],
        limit: 'requests',
        challenges: 'program',
        rows: { perAccount: 1, ofEach: 'identity provider' },
      },
    ],
  });
}

/** @throws TypeError for two providers with the same issuer */
function providersOf(sets: Sets, appUrl: string): OidcProvider[] {
  const issuers = sets.map(({ ISSUER }) => ISSUER);
  const twice = issuers.find((issuer, at) => issuers.indexOf(issuer) !== at);
  if (twice !== undefined)
    throw new TypeError(`OIDC_<NAME>_ISSUER is ${twice} twice: a provider has one name`);
  const logger = new Logger('IdentityProviders');
  return sets.map(
    (set) =>
      new OidcProvider(rulesOf(set, appUrl), ({ provider, reason }) =>
        logger.warn(`sign-in through an identity provider failed: ${provider}: ${reason}`),
      ),
  );
}

function rulesOf(set: Sets[number], appUrl: string): OidcRules {
  return {
    name: set.name,
    issuer: set.ISSUER,
    clientId: set.CLIENT_ID,
    clientSecret: set.CLIENT_SECRET,
    scopes: set.SCOPES,
    responseMode: set.RESPONSE_MODE,
    trustsEmails: set.TRUST_EMAIL === 'on',
    acceptsVerifiedText: set.EMAIL_VERIFIED_TEXT === 'on',
    createsAccounts: set.CREATE_ACCOUNTS === 'on',
    requiresAuthTime: set.AUTH_TIME === 'on',
    redirectUri: `${appUrl.replace(/\/+$/, '')}/sign-in/${set.name}`,
  };
}
