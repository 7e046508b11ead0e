export { OidcSignIn } from './oidc-sign-in';
export { oidc } from './oidc.plugin';
