/**
 * The types of what api accepts and sends.
 *
 * Generated from apps/api/openapi.json by `npm run generate`; do not edit.
 */

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the program's name and version as text */
        get: operations["homeRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the public keys that verify access tokens; the list is empty while a secret signs them */
        get: operations["publicKeysList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the program's metadata as an issuer (RFC 8414), or 404 if API_URL is unset */
        get: operations["issuerMetadataAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the issuers that the program accepts (RFC 9728), or 404 if API_URL is unset */
        get: operations["issuerMetadataProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the issuer metadata at the OpenID Connect Discovery path, where many libraries look for keys */
        get: operations["issuerMetadataOpenIdConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's API keys, masked
         * @description Other query parameters are rejected with 400.
         */
        get: operations["apiKeysList"];
        put?: never;
        /**
         * Creates an API key
         * @description Only this response has the full key. 403 unless the e-mail of the caller is verified, where e-mails are verified. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["apiKeysCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's API key, masked */
        get: operations["apiKeysRead"];
        put?: never;
        post?: never;
        /** Revokes the caller's API key */
        delete: operations["apiKeysRemove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the request's key */
        get: operations["apiKeysCurrent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-changes/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undoes an e-mail change with the token from the notification mail, sets a new password, and revokes all access */
        post: operations["emailVerificationsUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a sign-in code and link, valid once within ten minutes
         * @description The response is the same for unknown accounts.
         */
        post: operations["emailCodesRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-codes/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a session with a mailed code
         * @description A code allows five tries.
         */
        post: operations["emailCodesComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails the verification link again, to the e-mail that the caller requested last
         * @description 403 for callers with scopes, and for tokens of trusted issuers.
         */
        post: operations["emailVerificationsSendAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-verifications/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirms the caller's e-mail with the mailed token
         * @description A changed e-mail takes effect now. 403 for callers with scopes, and for tokens of trusted issuers.
         */
        post: operations["emailVerificationsComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's factors */
        get: operations["factorsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/{factor}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a factor from the caller's account
         * @description Removing the last second factor also removes the recovery codes, and sign-ins then need the first factor alone. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        delete: operations["factorsEnd"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a passkey enrolment
         * @description Confirm the enrolment within five minutes. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["passkeysBeginEnrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/passkeys/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrols a passkey, which then signs in without a user name
         * @description Password sign-ins require a second factor from now on, and the caller's remaining sessions end. The response has ten recovery codes if the account lacked them. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["passkeysConfirmEnrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the recovery codes
         * @description Only this response shows the ten new codes. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["recoveryCodesReplace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins an authenticator-app enrolment
         * @description Confirm the enrolment with a code within an hour; until then sign-ins stay unchanged. A further call replaces the secret. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["totpBegin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/factors/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirms the enrolment with a code
         * @description Sign-ins require a code from now on, and the caller's other sessions end. Only this response shows the ten recovery codes. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["totpConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in for an access token's lifetime */
        post: operations["passwordLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs out: revokes the caller's session
         * @description Callers who must change their password may use this route.
         */
        post: operations["sessionsLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a passkey sign-in, without a user name or as a second factor
         * @description Complete the sign-in within five minutes.
         */
        post: operations["passkeysBegin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a session with a passkey
         * @description The passkey counts as two factors.
         */
        post: operations["passkeysComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets the caller's new password and ends the account's other sessions
         * @description The header `Active-API-Keys` counts the API keys that still work. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes. Callers who must change their password may use this route.
         */
        post: operations["passwordChangesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-resets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a link that sets a new password
         * @description The response is the same for unknown accounts.
         */
        post: operations["passwordResetsRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-resets/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets a new password with a reset token and revokes all access to the account */
        post: operations["passwordResetsComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns who the caller is, as the access token says */
        get: operations["profileRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the identity providers that users may sign in through */
        get: operations["oidcList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers/{provider}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a sign-in at an identity provider
         * @description Send the user to the returned `url`. Other query parameters are rejected with 400.
         */
        post: operations["oidcAuthorize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers/{provider}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in with the provider's redirect parameters
         * @description A new identity gets a new account without a password. If the account requires a second factor, the response is a 200 with an `mfa_token` for `POST /auth/sessions/complete`.
         */
        post: operations["oidcComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers/{provider}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins to link an identity to the caller's account
         * @description 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["oidcBeginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers/{provider}/link/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Links the provider's identity to the caller's account for future sign-ins
         * @description 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        post: operations["oidcLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces a session's tokens
         * @description If the response is lost, repeat the request within an hour. An older refresh token ends the session. Without a `refresh_token`, the session cookie is used and replaced.
         */
        post: operations["sessionsRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's sessions
         * @description Other query parameters are rejected with 400.
         */
        get: operations["sessionsList"];
        put?: never;
        /**
         * Opens a session, which single-use refresh tokens extend
         * @description If the account requires a second factor, the response is a 200 with an `mfa_token` for `POST /auth/sessions/complete`.
         */
        post: operations["passwordOpen"];
        /**
         * Revokes all the caller's sessions and tokens, including this session
         * @description The header `Active-API-Keys` counts the API keys that still work. Other query parameters are rejected with 400.
         */
        delete: operations["sessionsEndAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes the caller's session */
        delete: operations["sessionsEnd"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Completes a sign-in with a second factor
         * @description The `mfa_token` works for a single sign-in. A wrong factor counts as a failed sign-in and keeps the token valid.
         */
        post: operations["completeSignInComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness, under the path that most supervisors probe */
        get: operations["healthStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness: 200 as long as the process responds
         * @description The store is not checked.
         */
        get: operations["healthLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness: 200 if requests can be served, 503 while the store is unavailable or the program shuts down */
        get: operations["healthReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes the caller a member
         * @description The caller must have the invited e-mail. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the e-mail of the caller is verified, where e-mails are verified.
         */
        post: operations["acceptedInvitationsAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the items for sale
         * @description Other query parameters are rejected with 400. A caller by `api-key` who is restricted to scopes needs `items:read`.
         */
        get: operations["itemsList"];
        put?: never;
        /**
         * Adds an item (admin)
         * @description A caller by `api-key` who is restricted to scopes needs `items:write`.
         */
        post: operations["itemsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an item
         * @description A caller by `api-key` who is restricted to scopes needs `items:read`.
         */
        get: operations["itemsRead"];
        put?: never;
        post?: never;
        /**
         * Deletes an item (admin)
         * @description A caller by `api-key` who is restricted to scopes needs `items:write`.
         */
        delete: operations["itemsRemove"];
        options?: never;
        head?: never;
        /**
         * Changes an item (admin)
         * @description Absent members keep their values. A caller by `api-key` who is restricted to scopes needs `items:write`.
         */
        patch: operations["itemsUpdate"];
        trace?: never;
    };
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's orders
         * @description Other query parameters are rejected with 400.
         */
        get: operations["ordersList"];
        put?: never;
        /** Places an order */
        post: operations["ordersCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an order that the caller placed */
        get: operations["ordersRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's organizations
         * @description Other query parameters are rejected with 400.
         */
        get: operations["organizationsList"];
        put?: never;
        /**
         * Creates an organization
         * @description The caller becomes the owner. 403 unless the e-mail of the caller is verified, where e-mails are verified.
         */
        post: operations["organizationsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a caller's organization
         * @description 404 unless the caller is a member of the organization, and 403 unless the role is `owner`, `admin` or `member`.
         */
        get: operations["organizationsRead"];
        put?: never;
        post?: never;
        /**
         * Deletes an organization with everything that belongs to it
         * @description 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes. 404 unless the caller is a member of the organization, and 403 unless the role is `owner`.
         */
        delete: operations["organizationsRemove"];
        options?: never;
        head?: never;
        /**
         * Renames an organization
         * @description 404 unless the caller is a member of the organization, and 403 unless the role is `owner` or `admin`.
         */
        patch: operations["organizationsRename"];
        trace?: never;
    };
    "/organizations/{organizationId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the organization's events, newest first
         * @description Other query parameters are rejected with 400. 404 unless the caller is a member of the organization, and 403 unless the role is `owner` or `admin`.
         */
        get: operations["organizationAuditList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the invitations, oldest first
         * @description Other query parameters are rejected with 400. 404 unless the caller is a member of the organization, and 403 unless the role is `owner` or `admin`.
         */
        get: operations["invitationsList"];
        put?: never;
        /**
         * Mails an invitation, which expires after seven days
         * @description Inviting the same e-mail again renews the invitation: the former link ends. The caller's role must have every permission that the role has. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the e-mail of the caller is verified, where e-mails are verified. 404 unless the caller is a member of the organization, and 403 unless the role is `owner` or `admin`.
         */
        post: operations["invitationsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraws an invitation
         * @description The mailed link stops working. 403 for callers with scopes, and for tokens of trusted issuers. 404 unless the caller is a member of the organization, and 403 unless the role is `owner` or `admin`.
         */
        delete: operations["invitationsRemove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the members, by account id
         * @description Other query parameters are rejected with 400. 404 unless the caller is a member of the organization, and 403 unless the role is `owner`, `admin` or `member`.
         */
        get: operations["membersList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/members/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a member
         * @description Every member may leave, and members who may change members remove members whose role has no further permissions. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes. 404 unless the caller is a member of the organization, and 403 unless the role is `owner`, `admin` or `member`.
         */
        delete: operations["membersRemove"];
        options?: never;
        head?: never;
        /**
         * Changes a member's role
         * @description The caller's role must have every permission that the former and the new role have. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes. 404 unless the caller is a member of the organization, and 403 unless the role is `owner` or `admin`.
         */
        patch: operations["membersChange"];
        trace?: never;
    };
    "/organizations/{organizationId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a member the owner
         * @description The caller gets the member's former role. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes. 404 unless the caller is a member of the organization, and 403 unless the role is `owner`.
         */
        post: operations["organizationsTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists posts, newest first
         * @description Other query parameters are rejected with 400.
         */
        get: operations["postsList"];
        put?: never;
        /** Publishes a post */
        post: operations["postsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a post */
        get: operations["postsRead"];
        put?: never;
        post?: never;
        /**
         * Deletes a post
         * @description Only the author and administrators may delete a post.
         */
        delete: operations["postsRemove"];
        options?: never;
        head?: never;
        /**
         * Changes a post's slug
         * @description Only the author and administrators may change a post.
         */
        patch: operations["postsRename"];
        trace?: never;
    };
    "/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the page that sets a new password */
        get: operations["mailPagesReset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/undo-email-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the page that undoes an e-mail change */
        get: operations["mailPagesUndo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all users (admin)
         * @description Other query parameters are rejected with 400.
         */
        get: operations["usersList"];
        put?: never;
        /**
         * Signs up
         * @description With `Prefer: return=representation` the response echoes the validated body except for the password.
         */
        post: operations["signUpCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a user
         * @description Users may read their own account, administrators any account.
         */
        get: operations["usersRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes a user's e-mail or password
         * @description A new password ends the user's other sessions, and the header `Active-API-Keys` counts the API keys that still work. A password set by an administrator also ends API keys, passkeys and other factors, unless the body has `keepFactors`. 403 for callers with scopes, and for tokens of trusted issuers. 403 unless the caller signed in within 15 minutes.
         */
        patch: operations["usersUpdate"];
        trace?: never;
    };
    "/users/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller with the fields for administrators (admin) */
        get: operations["usersMeAsAdministrator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller */
        get: operations["usersMe"];
        put?: never;
        post?: never;
        /**
         * Deletes the caller's account with its sessions, API keys and personal data
         * @description The last administrator cannot be deleted. 403 unless the caller signed in within 15 minutes.
         */
        delete: operations["usersLeave"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams all stored data about the caller as a single JSON document: the account without secrets, and a list per kind of data
         * @description An interrupted download is invalid JSON. Each export is recorded in the audit log. 403 unless the caller signed in within 15 minutes.
         */
        get: operations["exportRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the caller's picture */
        get: operations["picturesRead"];
        /** Replaces the caller's picture */
        put: operations["picturesReplace"];
        post?: never;
        /** Deletes the caller's picture */
        delete: operations["picturesRemove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Accepts an invitation. */
        AcceptInvitation: {
            /**
             * @description The token in the mailed link's fragment.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            token: string;
        };
        /** @description The account is disabled. Ask an administrator to enable the account. */
        AccountDisabledProblem: {
            /**
             * Format: uri-reference
             * @example /problems/account-disabled
             */
            type: string;
            /** @example The account is disabled */
            title: string;
            /** @constant */
            status: 403;
            /** @example The account is disabled */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "account-disabled";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The e-mail belongs to a member. Change the role of the member instead (`PATCH /organizations/:organizationId/members/:accountId`). */
        AlreadyMemberProblem: {
            /**
             * Format: uri-reference
             * @example /problems/already-member
             */
            type: string;
            /** @example The e-mail belongs to a member */
            title: string;
            /** @constant */
            status: 409;
            /** @example The e-mail belongs to a member */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "already-member";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The path of the WebSocket is misspelled. Open the WebSocket by the path of its gateway, without a host, `.`, `..`, empty parts or percent-encoding. */
        AmbiguousPathProblem: {
            /**
             * Format: uri-reference
             * @example /problems/ambiguous-path
             */
            type: string;
            /** @example The path of the WebSocket is misspelled */
            title: string;
            /** @constant */
            status: 400;
            /** @example The path of the WebSocket is misspelled */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "ambiguous-path";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description An API key, masked. */
        ApiKey: {
            /** @example 42 */
            id: number;
            /**
             * @description The key's name, which the owner chose.
             * @example deploy script
             */
            name: string;
            /**
             * @description The masked key: its first two characters, `***`, and its last two.
             * @example 7K***f2
             */
            apiKey: string;
            /**
             * Format: date-time
             * @description The creation time: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last use, to the minute; null before the first use.
             * @example 2026-01-31T12:00:00.000Z
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description The expiry: ISO 8601, UTC, milliseconds; null for a key that stays valid.
             * @example 2026-03-31T12:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description The scopes that restrict the key, such as `items:read`; null for full access to the account.
             * @example [
             *       "items:read"
             *     ]
             */
            scopes: string[] | null;
        };
        /** @description The program's metadata as an issuer (RFC 8414). */
        AuthorizationServerMetadata: {
            /**
             * @description The `iss` claim in the program's tokens.
             * @example https://api.example.com
             */
            issuer: string;
            /**
             * @description The URL to the public keys.
             * @example https://api.example.com/.well-known/jwks.json
             */
            jwks_uri: string;
            /** @description The response types, always empty: the program has no authorization endpoint. */
            response_types_supported: unknown[];
            /** @description The grant types, always empty: the program has no token endpoint. */
            grant_types_supported: unknown[];
            /**
             * @description Always `public`: every application sees the same `sub`.
             * @example [
             *       "public"
             *     ]
             */
            subject_types_supported: unknown[];
            /** @description The algorithms of ID tokens, always empty: the program issues access tokens only. */
            id_token_signing_alg_values_supported: unknown[];
            /**
             * @description The scopes that API keys and trusted issuers' tokens may have.
             * @example [
             *       "read",
             *       "write"
             *     ]
             */
            scopes_supported: unknown[];
        };
        /** @description Bad Request. Correct the request as `detail` says; the same request is rejected again. */
        BadRequestProblem: {
            /**
             * Format: uri-reference
             * @example /problems/bad-request
             */
            type: string;
            /** @example Bad Request */
            title: string;
            /** @constant */
            status: 400;
            /** @example Bad Request */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "bad-request";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The start of a passkey sign-in. */
        BeginPasskeySignIn: {
            /**
             * @description The `mfa_token` from the first sign-in step; omit it to let the passkey identify the account.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            mfa_token?: string;
        };
        /** @description The options for a new enrolment. */
        BeginTotp: {
            /** @description Whether the response includes a QR code. */
            qr?: boolean;
        };
        /** @description The body is nested too deeply. Send a body with fewer levels. */
        BodyTooDeepProblem: {
            /**
             * Format: uri-reference
             * @example /problems/body-too-deep
             */
            type: string;
            /** @example The body is nested too deeply */
            title: string;
            /** @constant */
            status: 400;
            /** @example The body is nested too deeply */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "body-too-deep";
            params: {
                maxLevels: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The body is too large. Send less at once: several requests, or fewer fields. */
        BodyTooLargeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/body-too-large
             */
            type: string;
            /** @example The body is too large */
            title: string;
            /** @constant */
            status: 413;
            /** @example The body is too large */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "body-too-large";
            params: {
                maxBytes: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A new role for a member. */
        ChangeMember: {
            /**
             * @example member
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
        };
        /** @description A new password for the caller. */
        ChangePassword: {
            /**
             * @description The new password: 8 to 256 characters, compared in Unicode NFC.
             * @example correct horse battery staple
             */
            password: string;
            /**
             * @description The current password. Required with `PASSWORD_CHANGE=current`, and checked whenever it is sent.
             * @example Example current password
             */
            currentPassword?: string;
        };
        /** @description The password is easy to guess. Choose another password. `detail` says why. */
        CommonPasswordProblem: {
            /**
             * Format: uri-reference
             * @example /problems/common-password
             */
            type: string;
            /** @example The password is easy to guess */
            title: string;
            /** @constant */
            status: 400;
            /** @example The password is easy to guess */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "common-password";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A code from a sign-in mail. */
        CompleteEmailCode: {
            /**
             * @description The `nonce` from the response that requested the code.
             * @example Example nonce
             */
            nonce: string;
            /**
             * @description The six digits in the mail, also in the fragment of its link.
             * @example 042042
             */
            code: string;
            /**
             * @description The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read.
             * @enum {string}
             */
            transport?: "body" | "cookie";
        };
        /** @description Confirms an e-mail. */
        CompleteEmailVerification: {
            /**
             * @description The token in the link's fragment.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            token: string;
        };
        /** @description The provider's redirect parameters, with the `request` that the client kept. */
        CompleteLink: {
            /**
             * @description The `request` from the response that began the authorization.
             * @example Example request
             */
            request: string;
            /** @example A-1024 */
            code: string;
            /** @example Example state */
            state: string;
            /**
             * @description The issuer, if the provider sends it (RFC 9207).
             * @example Example iss
             */
            iss?: string;
        };
        /** @description Sets a new password. */
        CompletePasswordReset: {
            /**
             * @description The token in the link's fragment.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            token: string;
            /**
             * @description The new password: 8 to 256 characters, compared in Unicode NFC.
             * @example correct horse battery staple
             */
            password: string;
        };
        /** @description A completed authorization, and the device's name. */
        CompleteProviderSignIn: {
            /**
             * @description The device name in the session list; default: a name derived from `User-Agent`.
             * @example the tablet in the kitchen
             */
            device?: string;
            /**
             * @description The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read.
             * @enum {string}
             */
            transport?: "body" | "cookie";
            /**
             * @description The `request` from the response that began the authorization.
             * @example Example request
             */
            request: string;
            /** @example A-1024 */
            code: string;
            /** @example Example state */
            state: string;
            /**
             * @description The issuer, if the provider sends it (RFC 9207).
             * @example Example iss
             */
            iss?: string;
        };
        /** @description The second factor for a sign-in. */
        CompleteSignIn: {
            /**
             * @description The `mfa_token` returned by the first sign-in step.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            mfa_token: string;
            /**
             * @description The factor to use, from `factors` in the first response.
             * @enum {string}
             */
            factor: "password" | "email-code" | "totp" | "passkey" | "recovery-code" | "identity-provider";
            /**
             * @description The code, for factors that use a code.
             * @example 042042
             */
            code?: string;
            /**
             * @description The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read.
             * @enum {string}
             */
            transport?: "body" | "cookie";
            credential?: {
                [key: string]: unknown;
            };
        };
        /** @description A new passkey. */
        ConfirmPasskey: {
            /** @description The `navigator.credentials.create` result, as `toJSON` returns it. */
            credential: {
                [key: string]: unknown;
            };
            /**
             * @description The passkey's name in the factor list.
             * @example the key on my ring
             */
            name?: string;
        };
        /** @description Confirms an enrolment. */
        ConfirmTotp: {
            /**
             * @description The six digits that the application shows.
             * @example 042042
             */
            code: string;
        };
        /** @description Conflict. Correct the request as `detail` says; the same request is rejected again. */
        ConflictProblem: {
            /**
             * Format: uri-reference
             * @example /problems/conflict
             */
            type: string;
            /** @example Conflict */
            title: string;
            /** @constant */
            status: 409;
            /** @example Conflict */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "conflict";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The length of the body differs from Content-Length. Leave `Content-Length` to the HTTP library. If the connection was lost, repeat the request. */
        ContentLengthMismatchProblem: {
            /**
             * Format: uri-reference
             * @example /problems/content-length-mismatch
             */
            type: string;
            /** @example The length of the body differs from Content-Length */
            title: string;
            /** @constant */
            status: 400;
            /** @example The length of the body differs from Content-Length */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "content-length-mismatch";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        CreateItem: {
            /** @example TEA-100 */
            sku: string;
            /** @example Green tea */
            name: string;
            /**
             * @description The price in the currency's minor unit: 1999 is 19.99.
             * @example 1999
             */
            price: number;
        };
        CreateOrder: {
            items: components["schemas"]["OrderItem"][];
        };
        /** @description A new post, or a new slug for a post. */
        CreatePost: {
            /** @example what-i-learnt */
            slug: string;
        };
        /** @description The current password is missing or wrong. Ask the user for the current password, and send it as `currentPassword` with the new password. */
        CurrentPasswordRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/current-password-required
             */
            type: string;
            /** @example The current password is missing or wrong */
            title: string;
            /** @constant */
            status: 403;
            /** @example The current password is missing or wrong */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "current-password-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The caller signed in elsewhere, or has scopes. Ask the user to sign in with this program, and repeat the request with the new access token. */
        DirectSignInRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/direct-sign-in-required
             */
            type: string;
            /** @example The caller signed in elsewhere, or has scopes */
            title: string;
            /** @constant */
            status: 403;
            /** @example The caller signed in elsewhere, or has scopes */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "direct-sign-in-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Sign-in by codes in mails is off. Set `EMAIL_CODES=5/1h`, or sign in by a password. */
        EmailCodesOffProblem: {
            /**
             * Format: uri-reference
             * @example /problems/email-codes-off
             */
            type: string;
            /** @example Sign-in by codes in mails is off */
            title: string;
            /** @constant */
            status: 404;
            /** @example Sign-in by codes in mails is off */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "email-codes-off";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Another account has this e-mail. Send a different e-mail, or sign in to the account that has it. */
        EmailConflictProblem: {
            /**
             * Format: uri-reference
             * @example /problems/email-conflict
             */
            type: string;
            /** @example Another account has this e-mail */
            title: string;
            /** @constant */
            status: 409;
            /** @example Another account has this e-mail */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "email-conflict";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        ErrorBody: {
            /** @example 404 */
            statusCode: number;
            /** @example there is no item 42 */
            message: string;
            /** @example Not Found */
            error: string;
            /**
             * @description The id of the request, for the operator to find its log entry. Only with status 500.
             * @example 7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            requestId?: string;
        };
        /** @description A factor for signing in to the account. */
        Factor: {
            /** @example totp */
            id: string;
            /**
             * @description The factor's kind, as in sign-in requests.
             * @example totp
             */
            factor: string;
            /**
             * @description The factor's name, which the owner chose; null without a name.
             * @example Example factor
             */
            name: string | null;
            /**
             * Format: date-time
             * @description The enrolment time: ISO 8601, UTC, milliseconds; null if unknown.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string | null;
            /**
             * @description The remaining uses, for example unused recovery codes; null if unlimited.
             * @example 7
             */
            remaining: number | null;
        };
        /** @description The account has no such factor. List the factors (`GET /auth/factors`): it may have ended already. */
        FactorNotFoundProblem: {
            /**
             * Format: uri-reference
             * @example /problems/factor-not-found
             */
            type: string;
            /** @example The account has no such factor */
            title: string;
            /** @constant */
            status: 404;
            /** @example The account has no such factor */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "factor-not-found";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The account's factors. */
        Factors: {
            factors: components["schemas"]["Factor"][];
        };
        /** @description The file store is unavailable. Repeat the request after `Retry-After` seconds. */
        FileStoreUnavailableProblem: {
            /**
             * Format: uri-reference
             * @example /problems/file-store-unavailable
             */
            type: string;
            /** @example The file store is unavailable */
            title: string;
            /** @constant */
            status: 503;
            /** @example The file store is unavailable */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "file-store-unavailable";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The file is too large. Send a file of at most `params.maxBytes` bytes. */
        FileTooLargeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/file-too-large
             */
            type: string;
            /** @example The file is too large */
            title: string;
            /** @constant */
            status: 413;
            /** @example The file is too large */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "file-too-large";
            params: {
                field: string;
                maxBytes: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The caller may not do this. Sign in as a permitted caller, as `detail` says. */
        ForbiddenProblem: {
            /**
             * Format: uri-reference
             * @example /problems/forbidden
             */
            type: string;
            /** @example The caller may not do this */
            title: string;
            /** @constant */
            status: 403;
            /** @example The caller may not do this */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "forbidden";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The fields of the form are too large, or too many. Send only the fields that the route declares. */
        FormTooLargeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/form-too-large
             */
            type: string;
            /** @example The fields of the form are too large, or too many */
            title: string;
            /** @constant */
            status: 413;
            /** @example The fields of the form are too large, or too many */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "form-too-large";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The header fields are too large. Send fewer or shorter header fields. */
        HeadersTooLargeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/headers-too-large
             */
            type: string;
            /** @example The header fields are too large */
            title: string;
            /** @constant */
            status: 431;
            /** @example The header fields are too large */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "headers-too-large";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The program's health. */
        Health: {
            /** @enum {string} */
            status: "ok" | "unavailable" | "draining";
            checks?: components["schemas"]["HealthChecks"];
        };
        /** @description The result of each health check. */
        HealthChecks: {
            /** @enum {string} */
            store: "ok" | "unavailable";
            /** @description `false` while the store is read-only or its disk is full. Reads then succeed, and writes get 503. */
            writes: boolean;
            /**
             * @description The replica's state; absent without a replica. Unless it is `ok`, lists come from the primary.
             * @enum {string}
             */
            replica?: "ok" | "lagging" | "unavailable";
        };
        /** @description A request with this Idempotency-Key is in progress. Repeat the request with the same key after `Retry-After` seconds: it gets the response of the first. */
        IdempotencyKeyInProgressProblem: {
            /**
             * Format: uri-reference
             * @example /problems/idempotency-key-in-progress
             */
            type: string;
            /** @example A request with this Idempotency-Key is in progress */
            title: string;
            /** @constant */
            status: 409;
            /** @example A request with this Idempotency-Key is in progress */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "idempotency-key-in-progress";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The Idempotency-Key belongs to a different request. Send a new key. Only a retry, with the same path and body, has the key of an earlier request. */
        IdempotencyKeyReusedProblem: {
            /**
             * Format: uri-reference
             * @example /problems/idempotency-key-reused
             */
            type: string;
            /** @example The Idempotency-Key belongs to a different request */
            title: string;
            /** @constant */
            status: 422;
            /** @example The Idempotency-Key belongs to a different request */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "idempotency-key-reused";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The identity is linked already. Sign in with it, or end the link first: an identity has one account, and an account has one identity of a provider. */
        IdentityConflictProblem: {
            /**
             * Format: uri-reference
             * @example /problems/identity-conflict
             */
            type: string;
            /** @example The identity is linked already */
            title: string;
            /** @constant */
            status: 409;
            /** @example The identity is linked already */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "identity-conflict";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Another account has the e-mail of the identity. Sign in to that account another way, and link the provider to it (`POST /auth/providers/{provider}/link`). */
        IdentityEmailConflictProblem: {
            /**
             * Format: uri-reference
             * @example /problems/identity-email-conflict
             */
            type: string;
            /** @example Another account has the e-mail of the identity */
            title: string;
            /** @constant */
            status: 409;
            /** @example Another account has the e-mail of the identity */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "identity-email-conflict";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The identity has no account. Sign in to an account another way, and link the provider to it (`POST /auth/providers/{provider}/link`). */
        IdentityNotLinkedProblem: {
            /**
             * Format: uri-reference
             * @example /problems/identity-not-linked
             */
            type: string;
            /** @example The identity has no account */
            title: string;
            /** @constant */
            status: 403;
            /** @example The identity has no account */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "identity-not-linked";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description An identity provider for signing in. */
        IdentityProvider: {
            /** @example google */
            name: string;
        };
        /** @description There is no such identity provider. List them (`GET /auth/providers`). */
        IdentityProviderNotFoundProblem: {
            /**
             * Format: uri-reference
             * @example /problems/identity-provider-not-found
             */
            type: string;
            /** @example There is no such identity provider */
            title: string;
            /** @constant */
            status: 404;
            /** @example There is no such identity provider */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "identity-provider-not-found";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The identity provider is unavailable. Repeat the request after `Retry-After` seconds, or sign in another way. */
        IdentityProviderUnavailableProblem: {
            /**
             * Format: uri-reference
             * @example /problems/identity-provider-unavailable
             */
            type: string;
            /** @example The identity provider is unavailable */
            title: string;
            /** @constant */
            status: 503;
            /** @example The identity provider is unavailable */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "identity-provider-unavailable";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The program's identity providers. */
        IdentityProviders: {
            providers: components["schemas"]["IdentityProvider"][];
        };
        /** @description If-None-Match excludes the resource. Omit `If-None-Match`. To change only the version that you have read, send its `ETag` as `If-Match`. */
        IfNoneMatchFailedProblem: {
            /**
             * Format: uri-reference
             * @example /problems/if-none-match-failed
             */
            type: string;
            /** @example If-None-Match excludes the resource */
            title: string;
            /** @constant */
            status: 412;
            /** @example If-None-Match excludes the resource */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "if-none-match-failed";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The role in the organization does not permit this. Ask a member with a role of `x-members` of the route, who may also change your role. */
        InsufficientRoleProblem: {
            /**
             * Format: uri-reference
             * @example /problems/insufficient-role
             */
            type: string;
            /** @example The role in the organization does not permit this */
            title: string;
            /** @constant */
            status: 403;
            /** @example The role in the organization does not permit this */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "insufficient-role";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The credential lacks the scopes of the route. Use a credential with the scopes in `params.scopes`. */
        InsufficientScopeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/insufficient-scope
             */
            type: string;
            /** @example The credential lacks the scopes of the route */
            title: string;
            /** @constant */
            status: 403;
            /** @example The credential lacks the scopes of the route */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "insufficient-scope";
            params: {
                scopes: string[];
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Internal Server Error. Try again later. If it persists, give `instance` to the operator, who finds the log entry by it. */
        InternalServerErrorProblem: {
            /**
             * Format: uri-reference
             * @example /problems/internal-server-error
             */
            type: string;
            /** @example Internal Server Error */
            title: string;
            /** @constant */
            status: 500;
            /** @example Internal Server Error */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "internal-server-error";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The cursor belongs to a different list or order. Read the list from its first page, without `after`; then follow the `next` links. */
        InvalidCursorProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-cursor
             */
            type: string;
            /** @example The cursor belongs to a different list or order */
            title: string;
            /** @constant */
            status: 400;
            /** @example The cursor belongs to a different list or order */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-cursor";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The link is invalid, used or expired. Ask for a new link, and use it once, before it expires. */
        InvalidEmailLinkProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-email-link
             */
            type: string;
            /** @example The link is invalid, used or expired */
            title: string;
            /** @constant */
            status: 400;
            /** @example The link is invalid, used or expired */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-email-link";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The request lacks a valid Host header, or has several. Leave `Host` to the HTTP library. */
        InvalidHostProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-host
             */
            type: string;
            /** @example The request lacks a valid Host header, or has several */
            title: string;
            /** @constant */
            status: 400;
            /** @example The request lacks a valid Host header, or has several */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-host";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The header Idempotency-Key is invalid. Send 1 to 255 visible ASCII characters, such as a UUID. */
        InvalidIdempotencyKeyProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-idempotency-key
             */
            type: string;
            /** @example The header Idempotency-Key is invalid */
            title: string;
            /** @constant */
            status: 400;
            /** @example The header Idempotency-Key is invalid */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-idempotency-key";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        InvalidInput: {
            /** @constant */
            statusCode: 400;
            message: string[];
            /** @constant */
            error: "Bad Request";
        } | components["schemas"]["ErrorBody"];
        /** @description The request has invalid values. Correct the values that `errors` lists: where each is, the violated rule, and its arguments. */
        InvalidInputProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-input
             */
            type: string;
            /** @example The request has invalid values */
            title: string;
            /** @constant */
            status: 400;
            /** @example The request has invalid values */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-input";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The invitation is invalid. Ask the sender for a new invitation. */
        InvalidInvitationProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-invitation
             */
            type: string;
            /** @example The invitation is invalid */
            title: string;
            /** @constant */
            status: 400;
            /** @example The invitation is invalid */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-invitation";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The passkey failed verification. Begin again (`POST /auth/factors/passkeys`), on a page of `PASSKEY_ORIGINS`, and confirm within five minutes. An authenticator makes one passkey for this service. */
        InvalidPasskeyProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-passkey
             */
            type: string;
            /** @example The passkey failed verification */
            title: string;
            /** @constant */
            status: 400;
            /** @example The passkey failed verification */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-passkey";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The response of the identity provider is invalid, used or expired. Begin again (`POST /auth/providers/{provider}/link`), and complete it once, within ten minutes. */
        InvalidProviderResponseProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-provider-response
             */
            type: string;
            /** @example The response of the identity provider is invalid, used or expired */
            title: string;
            /** @constant */
            status: 400;
            /** @example The response of the identity provider is invalid, used or expired */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-provider-response";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The link is invalid, used or expired. Ask for a new link (`POST /auth/password-resets`), and use it once, before it expires. */
        InvalidResetTokenProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-reset-token
             */
            type: string;
            /** @example The link is invalid, used or expired */
            title: string;
            /** @constant */
            status: 400;
            /** @example The link is invalid, used or expired */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-reset-token";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The path or the query string must be percent-encoded UTF-8. Encode values with a function such as `encodeURIComponent`. */
        InvalidTargetProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-target
             */
            type: string;
            /** @example The path or the query string must be percent-encoded UTF-8 */
            title: string;
            /** @constant */
            status: 400;
            /** @example The path or the query string must be percent-encoded UTF-8 */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-target";
            params: {
                part: string;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The code is wrong or too old. Check the clock of the device, and send the code that its authenticator application shows now. */
        InvalidTotpCodeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-totp-code
             */
            type: string;
            /** @example The code is wrong or too old */
            title: string;
            /** @constant */
            status: 400;
            /** @example The code is wrong or too old */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-totp-code";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The body is invalid UTF-8. Encode the body in UTF-8. */
        InvalidUtf8Problem: {
            /**
             * Format: uri-reference
             * @example /problems/invalid-utf8
             */
            type: string;
            /** @example The body is invalid UTF-8 */
            title: string;
            /** @constant */
            status: 400;
            /** @example The body is invalid UTF-8 */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invalid-utf8";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A value of the request that is invalid: where it is, the violated rule, and its arguments. */
        InvalidValue: {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @enum {unknown} */
            code: "arrayMaxSize" | "max" | "maxLength";
            params: {
                max?: number;
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @enum {unknown} */
            code: "arrayMinSize" | "min" | "minLength";
            params: {
                min?: number;
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @enum {unknown} */
            code: "isArray" | "isBoolean" | "isBounded" | "isCursor" | "isEmail" | "isInt" | "isObject" | "isReadable" | "isString" | "isWellFormed" | "nestedValidation" | "noControlCharacters" | "unknownField";
            params: Record<string, never>;
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @constant */
            code: "isIn";
            params: {
                values?: string[];
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @constant */
            code: "isJsonObject";
            params: {
                constraint1?: number;
                constraint2?: number;
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @constant */
            code: "matches";
            params: {
                pattern?: string;
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @enum {unknown} */
            code: "invalid-cursor" | "unstorable-value" | "email-conflict" | "value-conflict" | "unknown-reference";
            params: Record<string, never>;
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @constant */
            code: "page-out-of-range";
            params: {
                maxRows: number;
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @constant */
            code: "file-too-large";
            params: {
                field: string;
                maxBytes: number;
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @constant */
            code: "unsupported-file-type";
            params: {
                field: string;
                types: string[];
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @enum {unknown} */
            code: "malformed-picture" | "missing-file";
            params: {
                field: string;
            };
            /** @example email must be an email */
            detail: string;
        } | {
            /** @enum {unknown} */
            in: "body" | "query" | "path" | "header";
            /**
             * Format: json-pointer
             * @example /items/0/quantity
             */
            pointer: string;
            /** @constant */
            code: "too-many-files";
            params: {
                field: string;
                maxFiles: number;
            };
            /** @example email must be an email */
            detail: string;
        };
        /** @description An invitation to an organization. */
        Invitation: {
            /** @example 42 */
            id: number;
            /** @example ada@example.com */
            email: string;
            /**
             * @description The future member's role.
             * @example member
             */
            role: string;
            /**
             * @description The inviting account's id.
             * @example 7
             */
            invitedBy: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             * @example 2026-03-31T12:00:00.000Z
             */
            expiresAt: string;
        };
        /** @description The invitation is for a different e-mail. Sign in with the account of the invited e-mail, or ask for an invitation to your own e-mail. */
        InvitationEmailProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invitation-email
             */
            type: string;
            /** @example The invitation is for a different e-mail */
            title: string;
            /** @constant */
            status: 403;
            /** @example The invitation is for a different e-mail */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invitation-email";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A valid invitation is required. Send the `invitation` of the mail, once, before it expires. Ask for a new invitation otherwise. */
        InvitationRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/invitation-required
             */
            type: string;
            /** @example A valid invitation is required */
            title: string;
            /** @constant */
            status: 403;
            /** @example A valid invitation is required */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "invitation-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description An e-mail to invite. */
        Invite: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The future member's role.
             * @example member
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
        };
        /** @description An item of the catalogue. */
        Item: {
            /** @example 42 */
            id: number;
            /** @example TEA-100 */
            sku: string;
            /** @example Green tea */
            name: string;
            /**
             * @description The price in the currency's minor unit: 1999 is 19.99.
             * @example 1999
             */
            price: number;
            /**
             * Format: date-time
             * @description The creation time: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
        };
        /** @description This is the last administrator. Make another account an administrator first. */
        LastAdministratorProblem: {
            /**
             * Format: uri-reference
             * @example /problems/last-administrator
             */
            type: string;
            /** @example This is the last administrator */
            title: string;
            /** @constant */
            status: 409;
            /** @example This is the last administrator */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "last-administrator";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The account needs this factor to sign in. Add another way to sign in first. Change a password instead of ending it. */
        LastFactorProblem: {
            /**
             * Format: uri-reference
             * @example /problems/last-factor
             */
            type: string;
            /** @example The account needs this factor to sign in */
            title: string;
            /** @constant */
            status: 409;
            /** @example The account needs this factor to sign in */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "last-factor";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description This is the last owner of the organization. Make another member an owner first, or delete the organization. */
        LastOwnerProblem: {
            /**
             * Format: uri-reference
             * @example /problems/last-owner
             */
            type: string;
            /** @example This is the last owner of the organization */
            title: string;
            /** @constant */
            status: 409;
            /** @example This is the last owner of the organization */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "last-owner";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The caller's credentials. */
        LoginRequest: {
            /**
             * @description The account's e-mail, compared case-insensitively. E-mails longer than 254 characters get 401.
             * @example ada@example.com
             */
            username: string;
            /**
             * @description The password, compared in Unicode NFC. Passwords outside 8 to 256 characters get 401.
             * @example correct horse battery staple
             */
            password: string;
        };
        /** @description The response to a login. */
        LoginResponse: {
            /**
             * @description The access token, a compact JWS for `Authorization: Bearer …`.
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.8nYV1M0kYk4
             */
            access_token: string;
        };
        /** @description A text of the body is malformed Unicode. Cut texts between surrogate pairs. */
        LoneSurrogateProblem: {
            /**
             * Format: uri-reference
             * @example /problems/lone-surrogate
             */
            type: string;
            /** @example A text of the body is malformed Unicode */
            title: string;
            /** @constant */
            status: 400;
            /** @example A text of the body is malformed Unicode */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "lone-surrogate";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A new API key, shown in full only in this response. */
        MadeApiKey: {
            /** @example 42 */
            id: number;
            /** @example deploy script */
            name: string;
            /**
             * @description The full key for `X-API-Key`. Store it now; later responses mask it.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            apiKey: string;
            /**
             * Format: date-time
             * @description The creation time: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description The expiry: ISO 8601, UTC, milliseconds; null for a key that stays valid.
             * @example 2026-03-31T12:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description The scopes that restrict the key; null for full access to the account.
             * @example [
             *       "items:read"
             *     ]
             */
            scopes: string[] | null;
        };
        /** @description The key creation body. */
        MakeApiKey: {
            /** @example deploy script */
            name: string;
            /**
             * @description The key's lifetime in days; default: unlimited.
             * @example 30
             */
            expiresInDays?: number;
            /**
             * @description The scopes that restrict the key; `read` includes `items:read`. Default: full access to the account.
             * @example [
             *       "read"
             *     ]
             */
            scopes?: ("read" | "write" | "items:read" | "items:write")[];
        };
        /** @description The body is an invalid form. Leave the body and its boundary to the HTTP library. */
        MalformedFormProblem: {
            /**
             * Format: uri-reference
             * @example /problems/malformed-form
             */
            type: string;
            /** @example The body is an invalid form */
            title: string;
            /** @constant */
            status: 400;
            /** @example The body is an invalid form */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "malformed-form";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The body is invalid JSON. Write the body with a JSON library. `detail` has the position, if known. */
        MalformedJsonProblem: {
            /**
             * Format: uri-reference
             * @example /problems/malformed-json
             */
            type: string;
            /** @example The body is invalid JSON */
            title: string;
            /** @constant */
            status: 400;
            /** @example The body is invalid JSON */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "malformed-json";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The picture is invalid. Save the picture again, without data after its end. `detail` names the fault. */
        MalformedPictureProblem: {
            /**
             * Format: uri-reference
             * @example /problems/malformed-picture
             */
            type: string;
            /** @example The picture is invalid */
            title: string;
            /** @constant */
            status: 422;
            /** @example The picture is invalid */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "malformed-picture";
            params: {
                field: string;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The request is invalid HTTP/1.1. Use an HTTP library, and `http:` or `https:` as the service is reached. */
        MalformedRequestProblem: {
            /**
             * Format: uri-reference
             * @example /problems/malformed-request
             */
            type: string;
            /** @example The request is invalid HTTP/1.1 */
            title: string;
            /** @constant */
            status: 400;
            /** @example The request is invalid HTTP/1.1 */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "malformed-request";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The first factor is correct, and the account requires a second factor. */
        MfaRequired: {
            /** @constant */
            mfa_required: true;
            /**
             * @description The second factors that the account accepts.
             * @example [
             *       "totp",
             *       "recovery-code"
             *     ]
             */
            factors: string[];
            /**
             * @description The token for `POST /auth/sessions/complete`, valid for five minutes and for that route alone.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            mfa_token: string;
        };
        /** @description The account requires a second factor. Sign in with a session (`POST /auth/sessions`), and complete it with a factor from the response. */
        MfaRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/mfa-required
             */
            type: string;
            /** @example The account requires a second factor */
            title: string;
            /** @constant */
            status: 403;
            /** @example The account requires a second factor */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "mfa-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The file is missing from the form. Send a file in the field `params.field`. */
        MissingFileProblem: {
            /**
             * Format: uri-reference
             * @example /problems/missing-file
             */
            type: string;
            /** @example The file is missing from the form */
            title: string;
            /** @constant */
            status: 422;
            /** @example The file is missing from the form */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "missing-file";
            params: {
                field: string;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The body must be a form. Send the body as `multipart/form-data`, and omit `Content-Encoding`. */
        MultipartRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/multipart-required
             */
            type: string;
            /** @example The body must be a form */
            title: string;
            /** @constant */
            status: 415;
            /** @example The body must be a form */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "multipart-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A new organization, or a new name for an organization. */
        NameOrganization: {
            /** @example Kestrel Labs */
            name: string;
        };
        /** @description Recovery codes, each valid for a single sign-in. Store them now, because they are shown once. */
        NewRecoveryCodes: {
            /**
             * @example [
             *       "x7k2mq-04tzcd-9hbvwe-1rsy5n"
             *     ]
             */
            recoveryCodes: string[];
        };
        /** @description There is no e-mail to verify. Continue: the e-mail is verified, or the program does not verify e-mails. */
        NoPendingVerificationProblem: {
            /**
             * Format: uri-reference
             * @example /problems/no-pending-verification
             */
            type: string;
            /** @example There is no e-mail to verify */
            title: string;
            /** @constant */
            status: 409;
            /** @example There is no e-mail to verify */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "no-pending-verification";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The program has no metadata. Set `API_URL` to its public base URL. */
        NoPublicUrlProblem: {
            /**
             * Format: uri-reference
             * @example /problems/no-public-url
             */
            type: string;
            /** @example The program has no metadata */
            title: string;
            /** @constant */
            status: 404;
            /** @example The program has no metadata */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "no-public-url";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The account has no second factor. Add a factor first, such as an authenticator application (`POST /auth/factors/totp`). */
        NoSecondFactorProblem: {
            /**
             * Format: uri-reference
             * @example /problems/no-second-factor
             */
            type: string;
            /** @example The account has no second factor */
            title: string;
            /** @constant */
            status: 409;
            /** @example The account has no second factor */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "no-second-factor";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The resource does not exist. Check the path, and that the caller may see the resource; both cases have the same response. */
        NotFoundProblem: {
            /**
             * Format: uri-reference
             * @example /problems/not-found
             */
            type: string;
            /** @example The resource does not exist */
            title: string;
            /** @constant */
            status: 404;
            /** @example The resource does not exist */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "not-found";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description An order, visible to its owner only. */
        Order: {
            /** @example 42 */
            id: number;
            /** @description The order lines, in the order in which the client sent them. */
            items: components["schemas"]["OrderLine"][];
            /**
             * Format: date-time
             * @description The creation time: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
        };
        /** @description A line in a new order. */
        OrderItem: {
            /** @example TEA-100 */
            sku: string;
            /** @example 2 */
            quantity: string;
        };
        /** @description A line in a stored order. */
        OrderLine: {
            /** @example TEA-100 */
            sku: string;
            /** @example 2 */
            quantity: string;
        };
        /** @description A caller's organization. */
        Organization: {
            /** @example 42 */
            id: number;
            /** @example Kestrel Labs */
            name: string;
            /**
             * @description The caller's role.
             * @example owner
             */
            role: string;
            /**
             * Format: date-time
             * @description The creation time: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
        };
        /** @description An organization event. */
        OrganizationEvent: {
            /** @example 42 */
            id: number;
            /**
             * @description The event's kind, such as `member-added`.
             * @enum {string}
             */
            kind: "organization-created" | "organization-changed" | "member-changed" | "organization-deleted" | "ownership-transferred" | "member-removed" | "member-added" | "invitation-created" | "invitation-withdrawn";
            /**
             * @description The affected account's id; null if the event affects no account.
             * @example 42
             */
            accountId: number | null;
            /**
             * @description The acting account's id.
             * @example 42
             */
            actorId: number;
            /**
             * @description The new role; null if the event is not about a role.
             * @example Example role
             */
            role: string | null;
            /**
             * Format: date-time
             * @description The time of the event: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
        };
        /** @description An organization member. */
        OrganizationMember: {
            /**
             * @description The member's account id.
             * @example 42
             */
            accountId: number;
            /** @example ada@example.com */
            email: string;
            /** @example member */
            role: string;
            /**
             * Format: date-time
             * @description The time when the member joined; ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
        };
        /** @description The service is overloaded. Repeat the request after `Retry-After` seconds. */
        OverloadedProblem: {
            /**
             * Format: uri-reference
             * @example /problems/overloaded
             */
            type: string;
            /** @example The service is overloaded */
            title: string;
            /** @constant */
            status: 503;
            /** @example The service is overloaded */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "overloaded";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        PageOfApiKey: {
            items: components["schemas"]["ApiKey"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfInvitation: {
            items: components["schemas"]["Invitation"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfItem: {
            items: components["schemas"]["Item"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfOrder: {
            items: components["schemas"]["Order"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfOrganization: {
            items: components["schemas"]["Organization"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfOrganizationEvent: {
            items: components["schemas"]["OrganizationEvent"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfOrganizationMember: {
            items: components["schemas"]["OrganizationMember"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfPost: {
            items: components["schemas"]["Post"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        PageOfSession: {
            items: components["schemas"]["Session"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        "PageOfUser.admin": {
            items: components["schemas"]["User.admin"][];
            /** @example 1 */
            page: number;
            /** @example 10 */
            limit: number;
            /**
             * @description The next page; null on the last.
             * @example 2
             */
            nextPage: number | null;
        };
        /** @description The page skips too many rows. Follow the `next` link of the header `Link`, which has a cursor (`after`). */
        PageOutOfRangeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/page-out-of-range
             */
            type: string;
            /** @example The page skips too many rows */
            title: string;
            /** @constant */
            status: 400;
            /** @example The page skips too many rows */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "page-out-of-range";
            params: {
                maxRows: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description An enrolled passkey. */
        PasskeyEnrolled: {
            /** @example passkey-7 */
            id: string;
            /**
             * @description Codes that each replace a second factor once, shown in this response only. Empty if the account already has recovery codes.
             * @example [
             *       "x7k2mq-04tzcd-9hbvwe-1rsy5n"
             *     ]
             */
            recoveryCodes: string[];
        };
        /** @description The options for the browser's WebAuthn call. */
        PasskeyOptions: {
            /** @description The argument for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
            options: {
                [key: string]: unknown;
            };
        };
        /** @description A passkey sign-in. */
        PasskeySessionRequest: {
            /** @description The `navigator.credentials.get` result, as `toJSON` returns it. */
            credential: {
                [key: string]: unknown;
            };
            /**
             * @description The device name in the session list; default: a name derived from `User-Agent`.
             * @example the tablet in the kitchen
             */
            device?: string;
            /**
             * @description The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read.
             * @enum {string}
             */
            transport?: "body" | "cookie";
        };
        /** @description The password must be changed first. Ask the user for a new password, and set it (`POST /auth/password-changes`); until then the user can only sign out. */
        PasswordChangeRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/password-change-required
             */
            type: string;
            /** @example The password must be changed first */
            title: string;
            /** @constant */
            status: 403;
            /** @example The password must be changed first */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "password-change-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The password must be changed by a caller who signed in with it. Sign in with the password that the administrator has set, or reset it by mail (`POST /auth/password-resets`). */
        PasswordSignInRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/password-sign-in-required
             */
            type: string;
            /** @example The password must be changed by a caller who signed in with it */
            title: string;
            /** @constant */
            status: 403;
            /** @example The password must be changed by a caller who signed in with it */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "password-sign-in-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A part of the path is too long. Check the path: no resource has such a name. */
        PathTooLongProblem: {
            /**
             * Format: uri-reference
             * @example /problems/path-too-long
             */
            type: string;
            /** @example A part of the path is too long */
            title: string;
            /** @constant */
            status: 414;
            /** @example A part of the path is too long */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "path-too-long";
            params: {
                maxLength: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Payload Too Large. Correct the request as `detail` says; the same request is rejected again. */
        PayloadTooLargeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/payload-too-large
             */
            type: string;
            /** @example Payload Too Large */
            title: string;
            /** @constant */
            status: 413;
            /** @example Payload Too Large */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "payload-too-large";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A user's picture, a PNG file. */
        Picture: {
            /**
             * @description The file size in bytes.
             * @example 48213
             */
            bytes: number;
            /**
             * Format: date-time
             * @description The upload time: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
        };
        /** @description A post. */
        Post: {
            /** @example 42 */
            id: number;
            /** @example what-i-learnt */
            slug: string;
            /**
             * @description The author's user id; null after the account was deleted.
             * @example 42
             */
            authorId: number | null;
            /**
             * Format: date-time
             * @description The creation time: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
        };
        /** @description The resource was changed since it was read. Read the resource again, apply the change to it, and send its new `ETag` as `If-Match`. */
        PreconditionFailedProblem: {
            /**
             * Format: uri-reference
             * @example /problems/precondition-failed
             */
            type: string;
            /** @example The resource was changed since it was read */
            title: string;
            /** @constant */
            status: 412;
            /** @example The resource was changed since it was read */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "precondition-failed";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The header If-Match is missing. Read the resource, and send its `ETag` as `If-Match`. */
        PreconditionRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/precondition-required
             */
            type: string;
            /** @example The header If-Match is missing */
            title: string;
            /** @constant */
            status: 428;
            /** @example The header If-Match is missing */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "precondition-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The authenticated caller. */
        Profile: {
            /**
             * @description The `sub` claim of the token.
             * @example 42
             */
            userId: number;
            /** @example ada@example.com */
            username: string;
        };
        /** @description The program's metadata as a protected resource (RFC 9728). */
        ProtectedResourceMetadata: {
            /** @example https://api.example.com */
            resource: string;
            /**
             * @description The accepted issuers: the program itself and its trusted issuers.
             * @example [
             *       "https://api.example.com"
             *     ]
             */
            authorization_servers: unknown[];
            /** @example https://api.example.com/.well-known/jwks.json */
            jwks_uri: string;
            /**
             * @example [
             *       "read",
             *       "write"
             *     ]
             */
            scopes_supported: unknown[];
            /**
             * @description The place of an access token in a request, which is always `header`.
             * @example [
             *       "header"
             *     ]
             */
            bearer_methods_supported: unknown[];
        };
        /** @description An authorization at the identity provider. */
        ProviderAuthorization: {
            /**
             * @description The URL to open for the user.
             * @example https://example.com/
             */
            url: string;
            /**
             * @description A secret that the client keeps for up to ten minutes. Only this client can complete the authorization.
             * @example Example request
             */
            request: string;
        };
        /** @description A public key that verifies access tokens, as a JSON Web Key (RFC 7517). */
        PublicKey: {
            /**
             * @description The key type, `EC` or `OKP`.
             * @example EC
             */
            kty: string;
            /**
             * @description The curve, `P-256` or `Ed25519`.
             * @example P-256
             */
            crv: string;
            /** @example f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU */
            x: string;
            /**
             * @description The y coordinate, for `EC` keys.
             * @example x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0
             */
            y: string;
            /**
             * @description The `kid` header in tokens that this key verifies.
             * @example 2026-01-31-4f1c
             */
            kid: string;
            /**
             * @description The algorithm, `ES256` or `EdDSA`.
             * @example ES256
             */
            alg: string;
            /**
             * @description The use, which is always `sig`.
             * @example sig
             */
            use: string;
        };
        /** @description The public keys that verify access tokens. */
        PublicKeySet: {
            /** @description The keys; empty while a secret signs tokens (HS256). */
            keys: components["schemas"]["PublicKey"][];
        };
        /** @description The caller sends too many requests. Repeat the request after `Retry-After` seconds. `RateLimit` and `RateLimit-Policy` state the limit. */
        RateLimitedProblem: {
            /**
             * Format: uri-reference
             * @example /problems/rate-limited
             */
            type: string;
            /** @example The caller sends too many requests */
            title: string;
            /** @constant */
            status: 429;
            /** @example The caller sends too many requests */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "rate-limited";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The sign-in is too old for this. Ask the user to sign in again, and repeat the request with the new access token. */
        ReauthenticationRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/reauthentication-required
             */
            type: string;
            /** @example The sign-in is too old for this */
            title: string;
            /** @constant */
            status: 403;
            /** @example The sign-in is too old for this */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "reauthentication-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A referenced resource was removed meanwhile, or the resource is still referenced. Read the referenced resources again, and repeat the request with ids that exist. */
        ReferenceConflictProblem: {
            /**
             * Format: uri-reference
             * @example /problems/reference-conflict
             */
            type: string;
            /** @example A referenced resource was removed meanwhile, or the resource is still referenced */
            title: string;
            /** @constant */
            status: 409;
            /** @example A referenced resource was removed meanwhile, or the resource is still referenced */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "reference-conflict";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A refresh's body. */
        RefreshRequest: {
            /**
             * @description The refresh token; omit it if the session is in a cookie.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            refresh_token?: string;
        };
        /** @description A header is sent twice. Send it once. */
        RepeatedHeaderProblem: {
            /**
             * Format: uri-reference
             * @example /problems/repeated-header
             */
            type: string;
            /** @example A header is sent twice */
            title: string;
            /** @constant */
            status: 400;
            /** @example A header is sent twice */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "repeated-header";
            params: {
                header: string;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A request for a sign-in code. */
        RequestEmailCode: {
            /**
             * @description The account's e-mail.
             * @example ada@example.com
             */
            username: string;
        };
        /** @description A request for a password-reset link. */
        RequestPasswordReset: {
            /**
             * @description The account's e-mail.
             * @example ada@example.com
             */
            username: string;
        };
        /** @description The request took too long to arrive. Repeat the request, over a faster connection or with a smaller body. */
        RequestTimeoutProblem: {
            /**
             * Format: uri-reference
             * @example /problems/request-timeout
             */
            type: string;
            /** @example The request took too long to arrive */
            title: string;
            /** @constant */
            status: 408;
            /** @example The request took too long to arrive */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "request-timeout";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The secret that binds a code to the requesting client. */
        RequestedEmailCode: {
            /**
             * @description The secret to send with the code. The mail does not contain it.
             * @example Example nonce
             */
            nonce: string;
        };
        /** @description The service is unable to check sign-ins at present. Repeat the request after `Retry-After` seconds. */
        RevocationsUnavailableProblem: {
            /**
             * Format: uri-reference
             * @example /problems/revocations-unavailable
             */
            type: string;
            /** @example The service is unable to check sign-ins at present */
            title: string;
            /** @constant */
            status: 503;
            /** @example The service is unable to check sign-ins at present */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "revocations-unavailable";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Service Unavailable. Try again later. If it persists, give `instance` to the operator, who finds the log entry by it. */
        ServiceUnavailableProblem: {
            /**
             * Format: uri-reference
             * @example /problems/service-unavailable
             */
            type: string;
            /** @example Service Unavailable */
            title: string;
            /** @constant */
            status: 503;
            /** @example Service Unavailable */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "service-unavailable";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A session. */
        Session: {
            /** @example 42 */
            id: number;
            /**
             * @description The client's address at sign-in.
             * @example 192.0.2.1
             */
            ip: string;
            /**
             * @description The name chosen at sign-in, or derived from `User-Agent`, such as `Firefox on Windows`; null if unknown.
             * @example Firefox on Windows
             */
            device: string | null;
            /**
             * Format: date-time
             * @description The creation time in ISO 8601, UTC, with milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last refresh: ISO 8601, UTC, milliseconds.
             * @example 2026-01-31T12:00:00.000Z
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description The expiry without a further refresh: ISO 8601, UTC, milliseconds.
             * @example 2026-03-31T12:00:00.000Z
             */
            expiresAt: string;
        };
        /** @description The caller has no such session. List the sessions (`GET /auth/sessions`): it may have ended already. */
        SessionNotFoundProblem: {
            /**
             * Format: uri-reference
             * @example /problems/session-not-found
             */
            type: string;
            /** @example The caller has no such session */
            title: string;
            /** @constant */
            status: 404;
            /** @example The caller has no such session */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "session-not-found";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The caller's credentials and device name. */
        SessionRequest: {
            /**
             * @description The device name in the session list; default: a name derived from `User-Agent`.
             * @example the tablet in the kitchen
             */
            device?: string;
            /**
             * @description The refresh token's transport; default `body`. Pages use `cookie`, which scripts cannot read.
             * @enum {string}
             */
            transport?: "body" | "cookie";
            /**
             * @description The account's e-mail, compared case-insensitively. E-mails longer than 254 characters get 401.
             * @example ada@example.com
             */
            username: string;
            /**
             * @description The password, compared in Unicode NFC. Passwords outside 8 to 256 characters get 401.
             * @example correct horse battery staple
             */
            password: string;
        };
        /** @description A session's tokens. */
        SessionTokens: {
            /**
             * @description The access token, a compact JWS for `Authorization: Bearer …`.
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.8nYV1M0kYk4
             */
            access_token: string;
            /**
             * @description A single-use token for `POST /auth/refresh`; absent if a cookie carries it.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            refresh_token?: string;
            /**
             * @description The seconds until the access token expires.
             * @example 60
             */
            expires_in: number;
        };
        /** @description Too many passwords are being checked at present. Repeat the request after `Retry-After` seconds. */
        SignInOverloadProblem: {
            /**
             * Format: uri-reference
             * @example /problems/sign-in-overload
             */
            type: string;
            /** @example Too many passwords are being checked at present */
            title: string;
            /** @constant */
            status: 503;
            /** @example Too many passwords are being checked at present */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "sign-in-overload";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Sign-up is off. Ask an operator for an account. `SIGN_UP=open` lets everybody sign up. */
        SignUpOffProblem: {
            /**
             * Format: uri-reference
             * @example /problems/sign-up-off
             */
            type: string;
            /** @example Sign-up is off */
            title: string;
            /** @constant */
            status: 404;
            /** @example Sign-up is off */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "sign-up-off";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The response to a sign-up: minimal by default, or the echoed body. */
        SignedUp: {
            /**
             * @description Always `true`, in the minimal response.
             * @constant
             */
            ok?: true;
            /** @example ada@example.com */
            email: string;
        };
        /** @description The store is unavailable. Repeat the request after `Retry-After` seconds. Send writes with an `Idempotency-Key`, so that a write is done once. */
        StoreUnavailableProblem: {
            /**
             * Format: uri-reference
             * @example /problems/store-unavailable
             */
            type: string;
            /** @example The store is unavailable */
            title: string;
            /** @constant */
            status: 503;
            /** @example The store is unavailable */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "store-unavailable";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The account has the maximum number of API keys. Delete an unused key. */
        TooManyApiKeysProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-api-keys
             */
            type: string;
            /** @example The account has the maximum number of API keys */
            title: string;
            /** @constant */
            status: 409;
            /** @example The account has the maximum number of API keys */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-api-keys";
            params: {
                max: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Too many attempts have failed. Wait for `Retry-After` seconds. A user who has forgotten the password can reset it. */
        TooManyAttemptsProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-attempts
             */
            type: string;
            /** @example Too many attempts have failed */
            title: string;
            /** @constant */
            status: 429;
            /** @example Too many attempts have failed */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-attempts";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Too many links that confirm an e-mail were sent. Wait for `Retry-After` seconds, and use the link of the last mail. */
        TooManyEmailLinksProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-email-links
             */
            type: string;
            /** @example Too many links that confirm an e-mail were sent */
            title: string;
            /** @constant */
            status: 429;
            /** @example Too many links that confirm an e-mail were sent */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-email-links";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The form has too many files. Send at most `params.maxFiles` files. */
        TooManyFilesProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-files
             */
            type: string;
            /** @example The form has too many files */
            title: string;
            /** @constant */
            status: 422;
            /** @example The form has too many files */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-files";
            params: {
                field: string;
                maxFiles: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The service sends too many files already. Repeat the request after `Retry-After` seconds. */
        TooManyFilesUnderwayProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-files-underway
             */
            type: string;
            /** @example The service sends too many files already */
            title: string;
            /** @constant */
            status: 503;
            /** @example The service sends too many files already */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-files-underway";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Too many invitations. Wait for `Retry-After` seconds, or withdraw open invitations. */
        TooManyInvitationsProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-invitations
             */
            type: string;
            /** @example Too many invitations */
            title: string;
            /** @constant */
            status: 429;
            /** @example Too many invitations */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-invitations";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The caller reads too many files at once. Read the earlier responses first, then repeat the request. */
        TooManyOpenResponsesProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-open-responses
             */
            type: string;
            /** @example The caller reads too many files at once */
            title: string;
            /** @constant */
            status: 429;
            /** @example The caller reads too many files at once */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-open-responses";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The account is a member of too many organizations. Leave an organization first (`DELETE /organizations/:organizationId/members/:accountId`). */
        TooManyOrganizationsProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-organizations
             */
            type: string;
            /** @example The account is a member of too many organizations */
            title: string;
            /** @constant */
            status: 409;
            /** @example The account is a member of too many organizations */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-organizations";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The account has too many passkeys. End an unused passkey (`GET /auth/factors`, `DELETE /auth/factors/:factor`). */
        TooManyPasskeysProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-passkeys
             */
            type: string;
            /** @example The account has too many passkeys */
            title: string;
            /** @constant */
            status: 409;
            /** @example The account has too many passkeys */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-passkeys";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The session was refreshed too often. Wait for `Retry-After` seconds. Refresh a session only when its access token is about to expire. */
        TooManyRefreshesProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-refreshes
             */
            type: string;
            /** @example The session was refreshed too often */
            title: string;
            /** @constant */
            status: 429;
            /** @example The session was refreshed too often */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-refreshes";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Too Many Requests. Correct the request as `detail` says; the same request is rejected again. */
        TooManyRequestsProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-requests
             */
            type: string;
            /** @example Too Many Requests */
            title: string;
            /** @constant */
            status: 429;
            /** @example Too Many Requests */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-requests";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Too many password resets from this address. Wait for `Retry-After` seconds. */
        TooManyResetsProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-resets
             */
            type: string;
            /** @example Too many password resets from this address */
            title: string;
            /** @constant */
            status: 429;
            /** @example Too many password resets from this address */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-resets";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Too many accounts were created from this address. Wait for `Retry-After` seconds. */
        TooManySignUpsProblem: {
            /**
             * Format: uri-reference
             * @example /problems/too-many-sign-ups
             */
            type: string;
            /** @example Too many accounts were created from this address */
            title: string;
            /** @constant */
            status: 429;
            /** @example Too many accounts were created from this address */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "too-many-sign-ups";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The account has an authenticator application. End it first (`DELETE /auth/factors/totp`). */
        TotpEnrolledProblem: {
            /**
             * Format: uri-reference
             * @example /problems/totp-enrolled
             */
            type: string;
            /** @example The account has an authenticator application */
            title: string;
            /** @constant */
            status: 409;
            /** @example The account has an authenticator application */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "totp-enrolled";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The secret for an authenticator app, shown once. */
        TotpEnrolment: {
            /**
             * @description The secret in base32, for typing into an app.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            secret: string;
            /**
             * @description The `otpauth://totp/…` URI with the secret.
             * @example Example uri
             */
            uri: string;
            /**
             * @description The URI as a QR code (SVG), if requested.
             * @example Example qr
             */
            qr?: string;
        };
        /** @description The account has no enrolment to confirm. Begin an enrolment (`POST /auth/factors/totp`), and confirm it within an hour. */
        TotpNotEnrolledProblem: {
            /**
             * Format: uri-reference
             * @example /problems/totp-not-enrolled
             */
            type: string;
            /** @example The account has no enrolment to confirm */
            title: string;
            /** @constant */
            status: 409;
            /** @example The account has no enrolment to confirm */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "totp-not-enrolled";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The member who becomes the owner. */
        TransferOrganization: {
            /**
             * @description The member's account id.
             * @example 42
             */
            accountId: number;
        };
        /** @description The issuer of the token is unavailable. Repeat the request after `Retry-After` seconds. */
        TrustedIssuerUnavailableProblem: {
            /**
             * Format: uri-reference
             * @example /problems/trusted-issuer-unavailable
             */
            type: string;
            /** @example The issuer of the token is unavailable */
            title: string;
            /** @constant */
            status: 503;
            /** @example The issuer of the token is unavailable */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "trusted-issuer-unavailable";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The sign-in used a single factor. Ask the user to enrol a second factor, to sign in with it, and repeat the request with the new access token. */
        TwoFactorsRequiredProblem: {
            /**
             * Format: uri-reference
             * @example /problems/two-factors-required
             */
            type: string;
            /** @example The sign-in used a single factor */
            title: string;
            /** @constant */
            status: 403;
            /** @example The sign-in used a single factor */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "two-factors-required";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        Unauthorized: {
            /** @constant */
            statusCode: 401;
            /** @constant */
            message: "Unauthorized";
        };
        /** @description Valid credentials are missing. Sign in, and send the access token as `Authorization: Bearer <token>`. Every cause has the same response. */
        UnauthorizedProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unauthorized
             */
            type: string;
            /** @example Valid credentials are missing */
            title: string;
            /** @constant */
            status: 401;
            /** @example Valid credentials are missing */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unauthorized";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The password is the same as before. Choose another password. */
        UnchangedPasswordProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unchanged-password
             */
            type: string;
            /** @example The password is the same as before */
            title: string;
            /** @constant */
            status: 400;
            /** @example The password is the same as before */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unchanged-password";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The token and a new password that undo an e-mail change. */
        UndoEmailChange: {
            /**
             * @description The token in the link's fragment.
             * @example k7Qm2xVtR9sYbNcLwE4uHj
             */
            token: string;
            /**
             * @description The new password: 8 to 256 characters, compared in Unicode NFC.
             * @example correct horse battery staple
             */
            password: string;
        };
        /** @description The outcome of the request is unknown. It was done completely or not at all. Repeat it with the same `Idempotency-Key`, or first read the resource that it was to change. */
        UnknownOutcomeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unknown-outcome
             */
            type: string;
            /** @example The outcome of the request is unknown */
            title: string;
            /** @constant */
            status: 503;
            /** @example The outcome of the request is unknown */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unknown-outcome";
            params: {
                retryAfterSeconds: number;
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The path, or the method for this path, is unknown. Compare path and method with the reference of the API, `/docs`. */
        UnknownPathProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unknown-path
             */
            type: string;
            /** @example The path, or the method for this path, is unknown */
            title: string;
            /** @constant */
            status: 404;
            /** @example The path, or the method for this path, is unknown */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unknown-path";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A reference names a missing resource. In the member that `errors` names, send the id of a resource that the caller may see. */
        UnknownReferenceProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unknown-reference
             */
            type: string;
            /** @example A reference names a missing resource */
            title: string;
            /** @constant */
            status: 422;
            /** @example A reference names a missing resource */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unknown-reference";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Unprocessable Entity. Correct the request as `detail` says; the same request is rejected again. */
        UnprocessableEntityProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unprocessable-entity
             */
            type: string;
            /** @example Unprocessable Entity */
            title: string;
            /** @constant */
            status: 422;
            /** @example Unprocessable Entity */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unprocessable-entity";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description A value cannot be stored. Send text without NUL characters and unpaired surrogates, and numbers and dates in the range of the member. */
        UnstorableValueProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unstorable-value
             */
            type: string;
            /** @example A value cannot be stored */
            title: string;
            /** @constant */
            status: 400;
            /** @example A value cannot be stored */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unstorable-value";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The body must be uncompressed JSON in UTF-8. Send the body as `application/json`, and omit `Content-Encoding`. */
        UnsupportedBodyProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unsupported-body
             */
            type: string;
            /** @example The body must be uncompressed JSON in UTF-8 */
            title: string;
            /** @constant */
            status: 415;
            /** @example The body must be uncompressed JSON in UTF-8 */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unsupported-body";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The header Expect has an unknown value. Leave `Expect` out, or send `100-continue`. */
        UnsupportedExpectationProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unsupported-expectation
             */
            type: string;
            /** @example The header Expect has an unknown value */
            title: string;
            /** @constant */
            status: 417;
            /** @example The header Expect has an unknown value */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unsupported-expectation";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The route does not accept this type of file. Send a file with a type from `params.types`. Its bytes decide, whatever its name. Save a text as UTF-8. */
        UnsupportedFileTypeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unsupported-file-type
             */
            type: string;
            /** @example The route does not accept this type of file */
            title: string;
            /** @constant */
            status: 415;
            /** @example The route does not accept this type of file */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unsupported-file-type";
            params: {
                field: string;
                types: string[];
            };
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description Unsupported Media Type. Correct the request as `detail` says; the same request is rejected again. */
        UnsupportedMediaTypeProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unsupported-media-type
             */
            type: string;
            /** @example Unsupported Media Type */
            title: string;
            /** @constant */
            status: 415;
            /** @example Unsupported Media Type */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unsupported-media-type";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The Transfer-Encoding is unsupported. Send the body with `Content-Length`, or as `chunked`. */
        UnsupportedTransferEncodingProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unsupported-transfer-encoding
             */
            type: string;
            /** @example The Transfer-Encoding is unsupported */
            title: string;
            /** @constant */
            status: 501;
            /** @example The Transfer-Encoding is unsupported */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unsupported-transfer-encoding";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The page may not have a session cookie. Serve the page over HTTPS, and name its origin in `CORS_ORIGINS`. Other clients omit `transport`. */
        UntrustedPageProblem: {
            /**
             * Format: uri-reference
             * @example /problems/untrusted-page
             */
            type: string;
            /** @example The page may not have a session cookie */
            title: string;
            /** @constant */
            status: 403;
            /** @example The page may not have a session cookie */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "untrusted-page";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The e-mail of the caller is unverified. Ask the user to confirm the e-mail by the link of the mail, and repeat the request. */
        UnverifiedEmailProblem: {
            /**
             * Format: uri-reference
             * @example /problems/unverified-email
             */
            type: string;
            /** @example The e-mail of the caller is unverified */
            title: string;
            /** @constant */
            status: 403;
            /** @example The e-mail of the caller is unverified */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "unverified-email";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
        /** @description The changes to an item. Absent fields stay unchanged. */
        UpdateItem: {
            /** @example TEA-100 */
            sku?: string;
            /** @example Green tea */
            name?: string;
            /** @example 1999 */
            price?: number;
        };
        /** @description A user. Administrators get the fields in group `admin`, other callers the fields in group `user`. */
        "User.admin": {
            /** @example 42 */
            id: number;
            /**
             * @description The e-mail as entered, compared case-insensitively.
             * @example ada@example.com
             */
            email: string;
            /** @enum {string} */
            role: "user" | "admin";
            /**
             * @description The client's address at the last successful sign-in; null before the first sign-in.
             * @example 192.0.2.1
             */
            lastLoginIp: string | null;
        };
        /** @description A user. Administrators get the fields in group `admin`, other callers the fields in group `user`. */
        "User.user": {
            /** @example 42 */
            id: number;
            /**
             * @description The e-mail as entered, compared case-insensitively.
             * @example ada@example.com
             */
            email: string;
        };
        /** @description The body for sign-up (group `create`) and for changes (group `update`). */
        "UserDto.create": {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The password: 8 to 256 characters, compared in Unicode NFC; optional in group `update`.
             * @example correct horse battery staple
             */
            password: string;
            /** @example 2026-01-31 */
            invitation?: string;
        };
        /** @description The body for sign-up (group `create`) and for changes (group `update`). */
        "UserDto.update": {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The password: 8 to 256 characters, compared in Unicode NFC; optional in group `update`.
             * @example correct horse battery staple
             */
            password?: string;
            /**
             * @description The caller's current password, sent with a new `password`. Required with `PASSWORD_CHANGE=current`, and checked whenever it is sent.
             * @example Example current password
             */
            currentPassword?: string;
            /** @description Keeps the user's API keys and factors when an administrator sets a new `password`; by default they end. */
            keepFactors?: boolean;
        };
        /** @description The echo of a validated body, without the password. */
        UserEcho: {
            /** @example ada@example.com */
            email: string;
        };
        /** @description A value is already taken. Send a different value for the member that `errors` names. */
        ValueConflictProblem: {
            /**
             * Format: uri-reference
             * @example /problems/value-conflict
             */
            type: string;
            /** @example A value is already taken */
            title: string;
            /** @constant */
            status: 409;
            /** @example A value is already taken */
            detail: string;
            /**
             * Format: uri
             * @description The request id as a URN, for finding the request in the log.
             * @example urn:uuid:7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a
             */
            instance?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "value-conflict";
            /** @description The invalid values in the request. */
            errors?: components["schemas"]["InvalidValue"][];
            /**
             * @description How many further invalid values the request has, beyond the 50 in `errors`.
             * @example 3
             */
            omitted?: number;
        };
    };
    responses: {
        /** @description The request is invalid; the message lists the faults. */
        Status400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
            };
        };
        /** @description Valid credentials are missing. Every cause has the same body. */
        Status401: {
            headers: {
                /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthorizedProblem"];
            };
        };
        /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
        Status403: {
            headers: {
                /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
            };
        };
        /** @description The resource is missing, or hidden from the caller. */
        Status404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
            };
        };
        /** @description The request conflicts with the current state, such as a value that is already taken. */
        Status409: {
            headers: {
                /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
            };
        };
        /** @description The resource was changed since the `ETag` of `If-Match`. */
        Status412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IfNoneMatchFailedProblem"] | components["schemas"]["PreconditionFailedProblem"];
            };
        };
        /** @description The body is larger than 100 KiB, or a file is larger than the route accepts. */
        Status413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BodyTooLargeProblem"] | components["schemas"]["FileTooLargeProblem"] | components["schemas"]["FormTooLargeProblem"] | components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /** @description The route does not accept the media type of the body or of a file. */
        Status415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedBodyProblem"] | components["schemas"]["MultipartRequiredProblem"] | components["schemas"]["UnsupportedFileTypeProblem"] | components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description The request is well-formed, but cannot be processed, such as a form without its file, or with the `Idempotency-Key` of a different request. */
        Status422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnknownReferenceProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["MalformedPictureProblem"] | components["schemas"]["MissingFileProblem"] | components["schemas"]["TooManyFilesProblem"] | components["schemas"]["UnprocessableEntityProblem"];
            };
        };
        /** @description The header `If-Match` is missing. */
        Status428: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PreconditionRequiredProblem"];
            };
        };
        /** @description Too many requests or failed attempts; see `Retry-After`. */
        Status429: {
            headers: {
                /** @description Seconds to wait before the next attempt. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
            };
        };
        /** @description The service is temporarily unavailable or overloaded; see `Retry-After`. */
        Status503: {
            headers: {
                /** @description Seconds to wait before the next attempt. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyFilesUnderwayProblem"] | components["schemas"]["OverloadedProblem"] | components["schemas"]["SignInOverloadProblem"] | components["schemas"]["RevocationsUnavailableProblem"] | components["schemas"]["TrustedIssuerUnavailableProblem"] | components["schemas"]["FileStoreUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["UnknownOutcomeProblem"] | components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        /** @description Any other error. */
        Other: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["UnauthorizedProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"] | components["schemas"]["RequestTimeoutProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["IfNoneMatchFailedProblem"] | components["schemas"]["PreconditionFailedProblem"] | components["schemas"]["BodyTooLargeProblem"] | components["schemas"]["PathTooLongProblem"] | components["schemas"]["UnsupportedBodyProblem"] | components["schemas"]["UnsupportedExpectationProblem"] | components["schemas"]["UnknownReferenceProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["PreconditionRequiredProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyFilesUnderwayProblem"] | components["schemas"]["HeadersTooLargeProblem"] | components["schemas"]["UnsupportedTransferEncodingProblem"] | components["schemas"]["OverloadedProblem"] | components["schemas"]["SignInOverloadProblem"] | components["schemas"]["RevocationsUnavailableProblem"] | components["schemas"]["TrustedIssuerUnavailableProblem"] | components["schemas"]["MultipartRequiredProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnsupportedFileTypeProblem"] | components["schemas"]["MalformedPictureProblem"] | components["schemas"]["FileTooLargeProblem"] | components["schemas"]["FormTooLargeProblem"] | components["schemas"]["MissingFileProblem"] | components["schemas"]["TooManyFilesProblem"] | components["schemas"]["FileStoreUnavailableProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["UnknownOutcomeProblem"] | components["schemas"]["BadRequestProblem"] | components["schemas"]["ConflictProblem"] | components["schemas"]["PayloadTooLargeProblem"] | components["schemas"]["UnsupportedMediaTypeProblem"] | components["schemas"]["UnprocessableEntityProblem"] | components["schemas"]["TooManyRequestsProblem"] | components["schemas"]["InternalServerErrorProblem"] | components["schemas"]["ServiceUnavailableProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    homeRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: components["responses"]["Other"];
        };
    };
    publicKeysList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeySet"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    issuerMetadataAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["NoPublicUrlProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    issuerMetadataProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResourceMetadata"];
                };
            };
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["NoPublicUrlProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    issuerMetadataOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["NoPublicUrlProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    apiKeysList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfApiKey"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "deploy script",
                 *       "expiresInDays": 30,
                 *       "scopes": [
                 *         "read"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MakeApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeApiKey"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyApiKeysProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysRemove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysCurrent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    emailVerificationsUndo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "k7Qm2xVtR9sYbNcLwE4uHj",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["UndoEmailChange"];
            };
        };
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CommonPasswordProblem"] | components["schemas"]["InvalidEmailLinkProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["EmailConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    emailCodesRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["RequestEmailCode"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedEmailCode"];
                };
            };
            400: components["responses"]["Status400"];
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["EmailCodesOffProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    emailCodesComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nonce": "Example nonce",
                 *       "code": "042042",
                 *       "transport": "body"
                 *     }
                 */
                "application/json": components["schemas"]["CompleteEmailCode"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MfaRequired"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTokens"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UntrustedPageProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["EmailCodesOffProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    emailVerificationsSendAgain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["NoPendingVerificationProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyEmailLinksProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    emailVerificationsComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "k7Qm2xVtR9sYbNcLwE4uHj"
                 *     }
                 */
                "application/json": components["schemas"]["CompleteEmailVerification"];
            };
        };
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidEmailLinkProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["EmailConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    factorsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factors"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    factorsEnd: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The factor's id, from the factor list. */
                factor: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["FactorNotFoundProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["LastFactorProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    passkeysBeginEnrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limit: its name, quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The policy's name, remaining requests and seconds until the reset. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyPasskeysProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            429: components["responses"]["Status429"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    passkeysConfirmEnrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {},
                 *       "name": "the key on my ring"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmPasskey"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyEnrolled"];
                };
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidPasskeyProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyPasskeysProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    recoveryCodesReplace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewRecoveryCodes"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["NoSecondFactorProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    totpBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "qr": true
                 *     }
                 */
                "application/json": components["schemas"]["BeginTotp"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The limit: its name, quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The policy's name, remaining requests and seconds until the reset. */
                    RateLimit?: string;
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpEnrolment"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TotpEnrolledProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    totpConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "042042"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmTotp"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewRecoveryCodes"];
                };
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidTotpCodeProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TotpNotEnrolledProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    passwordLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["MfaRequiredProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    sessionsLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    passkeysBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "mfa_token": "k7Qm2xVtR9sYbNcLwE4uHj"
                 *     }
                 */
                "application/json": components["schemas"]["BeginPasskeySignIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limit: its name, quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The policy's name, remaining requests and seconds until the reset. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
            default: components["responses"]["Other"];
        };
    };
    passkeysComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {},
                 *       "device": "the tablet in the kitchen",
                 *       "transport": "body"
                 *     }
                 */
                "application/json": components["schemas"]["PasskeySessionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MfaRequired"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    /** @description The limit: its name, quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The policy's name, remaining requests and seconds until the reset. */
                    RateLimit?: string;
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTokens"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UntrustedPageProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
            default: components["responses"]["Other"];
        };
    };
    passwordChangesCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple",
                 *       "currentPassword": "Example current password"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CommonPasswordProblem"] | components["schemas"]["UnchangedPasswordProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CurrentPasswordRequiredProblem"] | components["schemas"]["PasswordSignInRequiredProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            404: components["responses"]["Status404"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    passwordResetsRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["RequestPasswordReset"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyResetsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    passwordResetsComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "k7Qm2xVtR9sYbNcLwE4uHj",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["CompletePasswordReset"];
            };
        };
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CommonPasswordProblem"] | components["schemas"]["InvalidResetTokenProblem"] | components["schemas"]["UnchangedPasswordProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    profileRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    oidcList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviders"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    oidcAuthorize: {
        parameters: {
            query?: {
                /** @description The prompt. `login` makes the provider verify a signed-in user again, for routes that require a recent sign-in. */
                prompt?: "login";
            };
            header?: never;
            path: {
                /** @description The provider's name, from `GET /auth/providers`. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorization"];
                };
            };
            400: components["responses"]["Status400"];
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderNotFoundProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            /** @description The service is temporarily unavailable or overloaded; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderUnavailableProblem"] | components["schemas"]["TooManyFilesUnderwayProblem"] | components["schemas"]["OverloadedProblem"] | components["schemas"]["SignInOverloadProblem"] | components["schemas"]["RevocationsUnavailableProblem"] | components["schemas"]["TrustedIssuerUnavailableProblem"] | components["schemas"]["FileStoreUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["UnknownOutcomeProblem"] | components["schemas"]["ServiceUnavailableProblem"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    oidcComplete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's name, from `GET /auth/providers`. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "device": "the tablet in the kitchen",
                 *       "transport": "body",
                 *       "request": "Example request",
                 *       "code": "A-1024",
                 *       "state": "Example state",
                 *       "iss": "Example iss"
                 *     }
                 */
                "application/json": components["schemas"]["CompleteProviderSignIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MfaRequired"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTokens"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UntrustedPageProblem"] | components["schemas"]["IdentityNotLinkedProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderNotFoundProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityEmailConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManySignUpsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            /** @description The service is temporarily unavailable or overloaded; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderUnavailableProblem"] | components["schemas"]["TooManyFilesUnderwayProblem"] | components["schemas"]["OverloadedProblem"] | components["schemas"]["SignInOverloadProblem"] | components["schemas"]["RevocationsUnavailableProblem"] | components["schemas"]["TrustedIssuerUnavailableProblem"] | components["schemas"]["FileStoreUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["UnknownOutcomeProblem"] | components["schemas"]["ServiceUnavailableProblem"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    oidcBeginLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's name, from `GET /auth/providers`. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAuthorization"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderNotFoundProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            /** @description The service is temporarily unavailable or overloaded; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderUnavailableProblem"] | components["schemas"]["TooManyFilesUnderwayProblem"] | components["schemas"]["OverloadedProblem"] | components["schemas"]["SignInOverloadProblem"] | components["schemas"]["RevocationsUnavailableProblem"] | components["schemas"]["TrustedIssuerUnavailableProblem"] | components["schemas"]["FileStoreUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["UnknownOutcomeProblem"] | components["schemas"]["ServiceUnavailableProblem"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    oidcLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The provider's name, from `GET /auth/providers`. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": "Example request",
                 *       "code": "A-1024",
                 *       "state": "Example state",
                 *       "iss": "Example iss"
                 *     }
                 */
                "application/json": components["schemas"]["CompleteLink"];
            };
        };
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidProviderResponseProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderNotFoundProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description The service is temporarily unavailable or overloaded; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdentityProviderUnavailableProblem"] | components["schemas"]["TooManyFilesUnderwayProblem"] | components["schemas"]["OverloadedProblem"] | components["schemas"]["SignInOverloadProblem"] | components["schemas"]["RevocationsUnavailableProblem"] | components["schemas"]["TrustedIssuerUnavailableProblem"] | components["schemas"]["FileStoreUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["UnknownOutcomeProblem"] | components["schemas"]["ServiceUnavailableProblem"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    sessionsRefresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "k7Qm2xVtR9sYbNcLwE4uHj"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTokens"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UntrustedPageProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["TooManyRefreshesProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    sessionsList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfSession"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    passwordOpen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "device": "the tablet in the kitchen",
                 *       "transport": "body",
                 *       "username": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MfaRequired"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTokens"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UntrustedPageProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    sessionsEndAll: {
        parameters: {
            query?: {
                /** @description The effect on API keys. `end` also revokes them; the default `keep` keeps them. */
                apiKeys?: "keep" | "end";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    sessionsEnd: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["SessionNotFoundProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    completeSignInComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mfa_token": "k7Qm2xVtR9sYbNcLwE4uHj",
                 *       "factor": "password",
                 *       "code": "042042",
                 *       "transport": "body",
                 *       "credential": {}
                 *     }
                 */
                "application/json": components["schemas"]["CompleteSignIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTokens"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["UntrustedPageProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    healthStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The service is temporarily unavailable or overloaded; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    healthLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    healthReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The service is temporarily unavailable or overloaded; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    acceptedInvitationsAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "k7Qm2xVtR9sYbNcLwE4uHj"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limit: its name, quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The policy's name, remaining requests and seconds until the reset. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvalidInvitationProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvitationEmailProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyOrganizationsProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    itemsList: {
        parameters: {
            query?: {
                sku?: string;
                /** @description The sort order, such as `-createdAt` for descending. Lists with a single order reject this parameter. Items with a null value come last. */
                sort?: "sku" | "-sku" | "name" | "-name" | "price" | "-price";
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: {
                /** @description The `ETag` from an earlier response. An unchanged response is a 304 with an empty body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfItem"];
                };
            };
            /** @description The response is unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    itemsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that you choose, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sku": "TEA-100",
                 *       "name": "Green tea",
                 *       "price": 1999
                 *     }
                 */
                "application/json": components["schemas"]["CreateItem"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    /** @description Sent with the response to an earlier request with the same key or event id. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ValueConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            422: components["responses"]["Status422"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    itemsRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` from an earlier response. An unchanged response is a 304 with an empty body. */
                "If-None-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            /** @description The response is unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    itemsRemove: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you have read. The response is a 412 if the resource was changed since. */
                "If-Match"?: string;
                /** @description The response is a 412 if the resource has a listed `ETag`, or any `ETag` (`*`). */
                "If-None-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            412: components["responses"]["Status412"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    itemsUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that you choose, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you have read. The response is a 412 if the resource was changed since. */
                "If-Match"?: string;
                /** @description The response is a 412 if the resource has a listed `ETag`, or any `ETag` (`*`). */
                "If-None-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "sku": "TEA-100",
                 *       "name": "Green tea",
                 *       "price": 1999
                 *     }
                 */
                "application/json": components["schemas"]["UpdateItem"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Sent with the response to an earlier request with the same key or event id. */
                    "Idempotent-Replayed"?: "true";
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ValueConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            412: components["responses"]["Status412"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            422: components["responses"]["Status422"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    ordersList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: {
                /** @description The `ETag` from an earlier response. An unchanged response is a 304 with an empty body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfOrder"];
                };
            };
            /** @description The response is unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    ordersCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that you choose, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "sku": "TEA-100",
                 *           "quantity": "2"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrder"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    /** @description Sent with the response to an earlier request with the same key or event id. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            409: components["responses"]["Status409"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            422: components["responses"]["Status422"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    ordersRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` from an earlier response. An unchanged response is a 304 with an empty body. */
                "If-None-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The response is unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    organizationsList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfOrganization"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    organizationsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Kestrel Labs"
                 *     }
                 */
                "application/json": components["schemas"]["NameOrganization"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The limit: its name, quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The policy's name, remaining requests and seconds until the reset. */
                    RateLimit?: string;
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyOrganizationsProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    organizationsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    organizationsRemove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    organizationsRename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Kestrel Labs"
                 *     }
                 */
                "application/json": components["schemas"]["NameOrganization"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    organizationAuditList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfOrganizationEvent"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    invitationsList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfInvitation"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    invitationsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["Invite"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AlreadyMemberProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyInvitationsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    invitationsRemove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    membersList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfOrganizationMember"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    membersRemove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                accountId: number;
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["LastOwnerProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    membersChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                accountId: number;
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeMember"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["LastOwnerProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    organizationsTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organizationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accountId": 42
                 *     }
                 */
                "application/json": components["schemas"]["TransferOrganization"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsList: {
        parameters: {
            query?: {
                authorId?: number;
                /** @description The sort order, such as `-createdAt` for descending. Lists with a single order reject this parameter. Items with a null value come last. */
                sort?: "slug" | "-slug";
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: {
                /** @description The `ETag` from an earlier response. An unchanged response is a 304 with an empty body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfPost"];
                };
            };
            /** @description The response is unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that you choose, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "what-i-learnt"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePost"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    /** @description Sent with the response to an earlier request with the same key or event id. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ValueConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            422: components["responses"]["Status422"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` from an earlier response. An unchanged response is a 304 with an empty body. */
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            /** @description The response is unchanged since the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsRemove: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that you have read. The response is a 412 if the resource was changed since. */
                "If-Match"?: string;
                /** @description The response is a 412 if the resource has a listed `ETag`, or any `ETag` (`*`). */
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            412: components["responses"]["Status412"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsRename: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that you choose, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` that you have read. The response is a 412 if the resource was changed since. */
                "If-Match"?: string;
                /** @description The response is a 412 if the resource has a listed `ETag`, or any `ETag` (`*`). */
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "what-i-learnt"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePost"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Sent with the response to an earlier request with the same key or event id. */
                    "Idempotent-Replayed"?: "true";
                    /** @description The entity tag, which changes with the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ValueConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            412: components["responses"]["Status412"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            422: components["responses"]["Status422"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    mailPagesReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": Blob;
                };
            };
            default: components["responses"]["Other"];
        };
    };
    mailPagesUndo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": Blob;
                };
            };
            default: components["responses"]["Other"];
        };
    };
    usersList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The page number, from 1. */
                page?: number;
                /** @description A cursor from an earlier response's `Link` header. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The first and the next page, as `rel="first"` and `rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfUser.admin"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    signUpCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple",
                 *       "invitation": "2026-01-31"
                 *     }
                 */
                "application/json": components["schemas"]["UserDto.create"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path to the created resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUp"];
                };
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CommonPasswordProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["InvitationRequiredProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            /** @description The resource is missing, or hidden from the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["SignUpOffProblem"] | components["schemas"]["NotFoundProblem"] | components["schemas"]["UnknownPathProblem"];
                };
            };
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["EmailConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManySignUpsProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    usersRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User.user"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    usersUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple",
                 *       "currentPassword": "Example current password",
                 *       "keepFactors": true
                 *     }
                 */
                "application/json": components["schemas"]["UserDto.update"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserEcho"];
                };
            };
            /** @description The request is invalid; the message lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CommonPasswordProblem"] | components["schemas"]["InvalidInputProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidUtf8Problem"] | components["schemas"]["BodyTooDeepProblem"] | components["schemas"]["LoneSurrogateProblem"] | components["schemas"]["ContentLengthMismatchProblem"] | components["schemas"]["InvalidHostProblem"] | components["schemas"]["RepeatedHeaderProblem"] | components["schemas"]["InvalidTargetProblem"] | components["schemas"]["AmbiguousPathProblem"] | components["schemas"]["MalformedRequestProblem"] | components["schemas"]["InvalidIdempotencyKeyProblem"] | components["schemas"]["PageOutOfRangeProblem"] | components["schemas"]["InvalidCursorProblem"] | components["schemas"]["MalformedFormProblem"] | components["schemas"]["UnstorableValueProblem"] | components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["Status401"];
            /** @description The caller lacks a requirement, which the problem's `code` names, or the account is disabled. */
            403: {
                headers: {
                    /** @description The authentication scheme, and for a missing scope the scopes that are needed. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["CurrentPasswordRequiredProblem"] | components["schemas"]["ForbiddenProblem"] | components["schemas"]["DirectSignInRequiredProblem"] | components["schemas"]["InsufficientRoleProblem"] | components["schemas"]["ReauthenticationRequiredProblem"] | components["schemas"]["TwoFactorsRequiredProblem"] | components["schemas"]["UnverifiedEmailProblem"] | components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["PasswordChangeRequiredProblem"];
                };
            };
            404: components["responses"]["Status404"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["EmailConflictProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            /** @description Too many requests or failed attempts; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next attempt. */
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["TooManyAttemptsProblem"] | components["schemas"]["TooManyEmailLinksProblem"] | components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyOpenResponsesProblem"] | components["schemas"]["TooManyRequestsProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    usersMeAsAdministrator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User.admin"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    usersMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User.user"];
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    usersLeave: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            /** @description The request conflicts with the current state, such as a value that is already taken. */
            409: {
                headers: {
                    /** @description Seconds to wait, if a request with the same `Idempotency-Key` is in progress. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["LastAdministratorProblem"] | components["schemas"]["IdempotencyKeyInProgressProblem"] | components["schemas"]["ReferenceConflictProblem"] | components["schemas"]["ConflictProblem"];
                };
            };
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    exportRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limit: its name, quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The policy's name, remaining requests and seconds until the reset. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            429: components["responses"]["Status429"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    picturesRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": Blob;
                };
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    picturesReplace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A file of one of these types: image/png, of at most 2000000 bytes.
                     */
                    picture: Blob;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Picture"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            422: components["responses"]["Status422"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    picturesRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
}
