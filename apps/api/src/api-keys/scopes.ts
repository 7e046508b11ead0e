import { wideScopes } from '@app/auth';

/** The scopes of resources that accept API keys; `read` and `write` include them. */
export const resourceScopes = ['items:read', 'items:write'] as const;

/** What an API key can be restricted to. */
export const scopes = [...wideScopes, ...resourceScopes] as const;
