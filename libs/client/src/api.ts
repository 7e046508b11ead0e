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
        /** Returns name and version of the program, as text */
        get: operations["homeRead"];
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
         * @description The response has the whole key, which is not shown again. 403 unless the e-mail of the caller is verified, where e-mails are verified. 403 unless the caller signed in within 15 minutes.
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
        /** Returns one of the caller's API keys, masked */
        get: operations["apiKeysRead"];
        put?: never;
        post?: never;
        /** Revokes one of the caller's API keys */
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
        /** The key of the request */
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
        /** Undoes a change of the e-mail with the token of the mail that told of it: sets a new password, and ends all access */
        post: operations["emailVerificationsUndo"];
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
        /** Sends the caller the link again: to the e-mail that was asked for last, if it is not verified yet */
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
         * Confirms an e-mail with the token of a mail
         * @description A new e-mail is that of the account from now on.
         */
        post: operations["emailVerificationsComplete"];
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
        /** Signs in, for as long as an access token lasts */
        post: operations["signInLogin"];
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
        /** Signs out: ends the caller's session */
        post: operations["sessionsLogout"];
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
        /** The response is the same whether or not the account exists */
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
        /** Sets a new password with the token of a reset, and ends all access of the account */
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
        get: operations["signInProfile"];
        put?: never;
        post?: never;
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
         * Replaces the tokens of a session
         * @description A refresh token that was used before ends the session.
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
         * Signs in with a session
         * @description It is extended by its refresh token, which is valid once.
         */
        post: operations["sessionsOpen"];
        /**
         * Ends every session of the caller, this one as well, and revokes all tokens
         * @description `Active-API-Keys` tells how many API keys still work. Other query parameters are rejected with 400.
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
        /** Ends one of the caller's sessions */
        delete: operations["sessionsEnd"];
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
        /** Readiness, under the path that most supervisors ask for */
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
         * Liveness: 200 as long as the process answers
         * @description Nothing else is checked.
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
         * @description Members that are absent stay as they are. A caller by `api-key` who is restricted to scopes needs `items:write`.
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
        /** Returns one of the caller's orders */
        get: operations["ordersRead"];
        put?: never;
        post?: never;
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
         * @description Its author and administrators may.
         */
        delete: operations["postsRemove"];
        options?: never;
        head?: never;
        /**
         * Gives a post another slug
         * @description Its author and administrators may.
         */
        patch: operations["postsRename"];
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
         * @description With `Prefer: return=representation` the response repeats the validated body, without the password.
         */
        post: operations["usersCreate"];
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
         * @description Users read themselves, administrators everyone.
         */
        get: operations["usersRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes a user's e-mail or password
         * @description A changed password ends every other session of the user; `Active-API-Keys` tells how many API keys still work. 403 unless the caller signed in within 15 minutes.
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
        /** Returns the caller, with what only administrators see (admin) */
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
        /** @description An API key, masked. */
        ApiKey: {
            id: number;
            /** @description Chosen by the owner. */
            name: string;
            /** @description The first two characters, `***`, the last two. */
            apiKey: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute; null before the first use.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds; null if it does not expire.
             */
            expiresAt: string | null;
            /** @description What it is restricted to, such as `items:read`; null if it may do all that its account may. */
            scopes: string[] | null;
        };
        /** @description Confirms an e-mail. */
        CompleteEmailVerification: {
            /** @description From the fragment of the link. */
            token: string;
        };
        /** @description Sets a new password. */
        CompletePasswordReset: {
            /** @description From the fragment of the link. */
            token: string;
            /** @description 8 to 256 characters, compared exactly as sent. */
            password: string;
        };
        CreateItem: {
            sku: string;
            name: string;
            /** @description Whole minor units of the currency, to avoid rounding. */
            price: number;
        };
        CreateOrder: {
            items: components["schemas"]["OrderItem"][];
        };
        /** @description A new post, or a new slug for one. */
        CreatePost: {
            /** @example what-i-learnt */
            slug: string;
        };
        Error: {
            statusCode: number;
            message: string;
            error: string;
            /** @description The id of the request, for the operator to find its log entry. Only with status 500. */
            requestId?: string;
        };
        /** @description The health of the program. */
        Health: {
            /** @enum {string} */
            status: "ok" | "unavailable" | "draining";
            checks?: components["schemas"]["HealthChecks"];
        };
        /** @description The result of each health check. */
        HealthChecks: {
            /** @enum {string} */
            store: "ok" | "unavailable";
            /** @description `false` while the store is read-only or its disk is full: reads are answered, writes with 503. */
            writes: boolean;
        };
        InvalidInput: {
            /** @constant */
            statusCode: 400;
            message: string[];
            /** @constant */
            error: "Bad Request";
        } | components["schemas"]["Error"];
        /** @description An item of the catalogue. */
        Item: {
            id: number;
            sku: string;
            name: string;
            /** @description In minor units of the currency: 1999 is 19.99. */
            price: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        /** @description Credentials; `username` is the e-mail. */
        LoginRequest: {
            username: string;
            password: string;
        };
        /** @description The response to a login. */
        LoginResponse: {
            /** @description Compact JWS for `Authorization: Bearer …`. */
            access_token: string;
        };
        /** @description A new API key; the only response with the full key. */
        MadeApiKey: {
            id: number;
            name: string;
            /** @description The full key for `X-API-Key`; it cannot be retrieved again. */
            apiKey: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds; null if it does not expire.
             */
            expiresAt: string | null;
            /** @description What it is restricted to; null if it may do all that its account may. */
            scopes: string[] | null;
        };
        /** @description The body of key creation. */
        MakeApiKey: {
            name: string;
            /** @description Without it the key does not expire. */
            expiresInDays?: number;
            /** @description What it is restricted to; `read` includes `items:read`. Without them it may do all that its account may. */
            scopes?: ("read" | "write" | "items:read" | "items:write")[];
        };
        /** @description An order, for its owner only. */
        Order: {
            id: number;
            /** @description In the order of the request. */
            items: components["schemas"]["OrderLine"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        /** @description One line of a new order. */
        OrderItem: {
            sku: string;
            quantity: string;
        };
        /** @description One line of a stored order. */
        OrderLine: {
            sku: string;
            quantity: string;
        };
        PageOfApiKey: {
            items: components["schemas"]["ApiKey"][];
            page: number;
            limit: number;
            /** @description Null on the last page. */
            nextPage: number | null;
        };
        PageOfItem: {
            items: components["schemas"]["Item"][];
            page: number;
            limit: number;
            /** @description Null on the last page. */
            nextPage: number | null;
        };
        PageOfOrder: {
            items: components["schemas"]["Order"][];
            page: number;
            limit: number;
            /** @description Null on the last page. */
            nextPage: number | null;
        };
        PageOfPost: {
            items: components["schemas"]["Post"][];
            page: number;
            limit: number;
            /** @description Null on the last page. */
            nextPage: number | null;
        };
        PageOfSession: {
            items: components["schemas"]["Session"][];
            page: number;
            limit: number;
            /** @description Null on the last page. */
            nextPage: number | null;
        };
        "PageOfUser.admin": {
            items: components["schemas"]["User.admin"][];
            page: number;
            limit: number;
            /** @description Null on the last page. */
            nextPage: number | null;
        };
        /** @description The picture of a user: a PNG file. */
        Picture: {
            /**
             * @description Its size.
             * @example 48213
             */
            bytes: number;
            /**
             * Format: date-time
             * @description When it was uploaded: ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        /** @description A post. */
        Post: {
            id: number;
            slug: string;
            /** @description The author's user id; null after the account was deleted. */
            authorId: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        /** @description The authenticated caller. */
        Profile: {
            /** @description The `sub` claim of the token. */
            userId: number;
            username: string;
        };
        /** @description The body of a refresh. */
        RefreshRequest: {
            refresh_token: string;
        };
        /** @description Asks for a link that sets a new password. */
        RequestPasswordReset: {
            /** @description The e-mail of the account. */
            username: string;
        };
        /** @description A session. */
        Session: {
            id: number;
            /** @description Remote address of the sign-in. */
            ip: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds: when its last refresh token was issued.
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds: when it expires unless it is refreshed.
             */
            expiresAt: string;
        };
        /** @description The tokens of a session. */
        SessionTokens: {
            /** @description Compact JWS for `Authorization: Bearer …`. */
            access_token: string;
            /** @description For one use at `POST /auth/refresh`. */
            refresh_token: string;
        };
        /** @description The response to a sign-up: minimal by default, or the echo of the body. */
        SignedUp: {
            /**
             * @description Only in the minimal response.
             * @constant
             */
            ok?: true;
            email: string;
        };
        Unauthorized: {
            /** @constant */
            statusCode: 401;
            /** @constant */
            message: "Unauthorized";
        };
        /** @description Undoes a change of the e-mail. */
        UndoEmailChange: {
            /** @description From the fragment of the link. */
            token: string;
            /** @description A new one: 8 to 256 characters, compared exactly as sent. */
            password: string;
        };
        /** @description Absent fields stay unchanged. */
        UpdateItem: {
            sku?: string;
            name?: string;
            price?: number;
        };
        /** @description A user; administrators get the fields of group `admin`, others those of group `user`. */
        "User.admin": {
            id: number;
            /** @description As entered; compared without regard to case. */
            email: string;
            /** @enum {string} */
            role: "user" | "admin";
            /** @description Remote address of the last successful sign-in; null before the first. */
            lastLoginIp: string | null;
        };
        /** @description A user; administrators get the fields of group `admin`, others those of group `user`. */
        "User.user": {
            id: number;
            /** @description As entered; compared without regard to case. */
            email: string;
        };
        /** @description Sign-up (group `create`) and change (group `update`). */
        "UserDto.create": {
            /** Format: email */
            email: string;
            /** @description 8 to 256 characters, compared exactly as sent; optional in group `update`. */
            password: string;
        };
        /** @description Sign-up (group `create`) and change (group `update`). */
        "UserDto.update": {
            /** Format: email */
            email: string;
            /** @description 8 to 256 characters, compared exactly as sent; optional in group `update`. */
            password?: string;
        };
        /** @description The echo of a validated body, without the password. */
        UserEcho: {
            email: string;
        };
    };
    responses: {
        /** @description The request is invalid; the message lists what is wrong. */
        Status400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInput"];
            };
        };
        /** @description Valid credentials are missing. The body is the same whatever the cause. */
        Status401: {
            headers: {
                /** @description The authentication scheme. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Unauthorized"];
            };
        };
        /** @description The caller is not allowed to do this, the account is disabled, or a scope, a verified e-mail or a recent sign-in is needed. */
        Status403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist, or the caller may not see it. */
        Status404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request conflicts with the current state, such as a value that is already taken. */
        Status409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource was changed since the `ETag` of `If-Match`. */
        Status412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 100 KiB, or a file is larger than the route accepts. */
        Status413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON in UTF-8, or a file is not of a type that the route accepts. */
        Status415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is well-formed, but cannot be processed, such as a form without its file, or the `Idempotency-Key` of another request. */
        Status422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The header `If-Match` is missing. */
        Status428: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
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
                "application/json": components["schemas"]["Error"];
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error. */
        Other: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] | components["schemas"]["Unauthorized"];
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
    apiKeysList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description A cursor from the `Link` header of an earlier response. */
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
                 *       "name": "correct horse battery staple",
                 *       "expiresInDays": 1,
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeApiKey"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            409: components["responses"]["Status409"];
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
            /** @description No Content */
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
                 *       "token": "correct horse battery staple",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["UndoEmailChange"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            409: components["responses"]["Status409"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
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
            409: components["responses"]["Status409"];
            429: components["responses"]["Status429"];
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
                 *       "token": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["CompleteEmailVerification"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            409: components["responses"]["Status409"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            default: components["responses"]["Other"];
        };
    };
    signInLogin: {
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
                 *       "username": "correct horse battery staple",
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
            403: components["responses"]["Status403"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
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
            /** @description No Content */
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
                 *       "username": "correct horse battery staple"
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
            429: components["responses"]["Status429"];
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
                 *       "token": "correct horse battery staple",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["CompletePasswordReset"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    signInProfile: {
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
    sessionsRefresh: {
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
                 *       "refresh_token": "correct horse battery staple"
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
            403: components["responses"]["Status403"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    sessionsList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description A cursor from the `Link` header of an earlier response. */
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
    sessionsOpen: {
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
                 *       "username": "correct horse battery staple",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTokens"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    sessionsEndAll: {
        parameters: {
            query?: {
                /** @description `end` revokes the API keys as well; default `keep`. */
                apiKeys?: "keep" | "end";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
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
            /** @description No Content */
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
    itemsList: {
        parameters: {
            query?: {
                sku?: string;
                /** @description The order, if the class is `@Sortable`; otherwise the list has one order, and this is rejected as unknown. The order of the items; `-` is descending. Items without a value come last. */
                sort?: "sku" | "-sku" | "name" | "-name" | "price" | "-price";
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description A cursor from the `Link` header of an earlier response. */
                after?: string;
            };
            header?: {
                /** @description The `ETag` of a response that you have: the response is a 304 without a body if it is still the same. */
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
                    /** @description Changes with each change of the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfItem"];
                };
            };
            /** @description The response has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    /** @description Changes with each change of the response. */
                    ETag?: string;
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
                /** @description A value of your choice, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sku": "correct horse battery staple",
                 *       "name": "correct horse battery staple",
                 *       "price": 0
                 *     }
                 */
                "application/json": components["schemas"]["CreateItem"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Sent with the response to an earlier request with the same key. */
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
            409: components["responses"]["Status409"];
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
                /** @description The `ETag` of a response that you have: the response is a 304 without a body if it is still the same. */
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
                    /** @description Changes with each change of the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Item"];
                };
            };
            /** @description The response has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    /** @description Changes with each change of the response. */
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
                /** @description The `ETag` of the resource as you have read it: the response is a 412 if it was changed since. */
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
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
                /** @description A value of your choice, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` of the resource as you have read it: the response is a 412 if it was changed since. */
                "If-Match"?: string;
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
                 *       "sku": "correct horse battery staple",
                 *       "name": "correct horse battery staple",
                 *       "price": 0
                 *     }
                 */
                "application/json": components["schemas"]["UpdateItem"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Sent with the response to an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Changes with each change of the response. */
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
            409: components["responses"]["Status409"];
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
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description A cursor from the `Link` header of an earlier response. */
                after?: string;
            };
            header?: {
                /** @description The `ETag` of a response that you have: the response is a 304 without a body if it is still the same. */
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
                    /** @description Changes with each change of the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfOrder"];
                };
            };
            /** @description The response has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    /** @description Changes with each change of the response. */
                    ETag?: string;
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
                /** @description A value of your choice, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
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
                 *           "sku": "correct horse battery staple",
                 *           "quantity": "correct horse battery staple"
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
                    /** @description Sent with the response to an earlier request with the same key. */
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
                /** @description The `ETag` of a response that you have: the response is a 304 without a body if it is still the same. */
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
                    /** @description Changes with each change of the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The response has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    /** @description Changes with each change of the response. */
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
    postsList: {
        parameters: {
            query?: {
                authorId?: number;
                /** @description The order, if the class is `@Sortable`; otherwise the list has one order, and this is rejected as unknown. The order of the items; `-` is descending. Items without a value come last. */
                sort?: "slug" | "-slug";
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description A cursor from the `Link` header of an earlier response. */
                after?: string;
            };
            header?: {
                /** @description The `ETag` of a response that you have: the response is a 304 without a body if it is still the same. */
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
                    /** @description Changes with each change of the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageOfPost"];
                };
            };
            /** @description The response has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    /** @description Changes with each change of the response. */
                    ETag?: string;
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
                /** @description A value of your choice, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
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
                    /** @description Sent with the response to an earlier request with the same key. */
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
            409: components["responses"]["Status409"];
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
                /** @description The `ETag` of a response that you have: the response is a 304 without a body if it is still the same. */
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
                    /** @description Changes with each change of the response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            /** @description The response has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    /** @description Changes with each change of the response. */
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
                /** @description The `ETag` of the resource as you have read it: the response is a 412 if it was changed since. */
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
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
                /** @description A value of your choice, such as a UUID. A retry with the same key and body gets the same response for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The `ETag` of the resource as you have read it: the response is a 412 if it was changed since. */
                "If-Match"?: string;
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
                    /** @description Sent with the response to an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Changes with each change of the response. */
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
            409: components["responses"]["Status409"];
            412: components["responses"]["Status412"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            422: components["responses"]["Status422"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    usersList: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 100; default 10. */
                limit?: number;
                /** @description The number of the page, from 1. */
                page?: number;
                /** @description A cursor from the `Link` header of an earlier response. */
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
    usersCreate: {
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
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["UserDto.create"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUp"];
                };
            };
            400: components["responses"]["Status400"];
            409: components["responses"]["Status409"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
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
                 *       "password": "correct horse battery staple"
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
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            409: components["responses"]["Status409"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            429: components["responses"]["Status429"];
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
                    "image/png": unknown;
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
            /** @description No Content */
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
