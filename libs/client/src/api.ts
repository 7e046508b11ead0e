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
        /** Read home */
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
         * List api keys
         * @description Other query parameters are rejected with 400.
         */
        get: operations["apiKeysList"];
        put?: never;
        /**
         * Create api keys
         * @description 403 unless the caller signed in within the last 15 minutes.
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
        /** Read api keys */
        get: operations["apiKeysRead"];
        put?: never;
        post?: never;
        /** Remove api keys */
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
        /** Api keys: current */
        get: operations["apiKeysCurrent"];
        put?: never;
        post?: never;
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
        /** Sign in: login */
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
        /** Sessions: logout */
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
        /** Password resets: request */
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
        /** Password resets: complete */
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
        /** Sign in: profile */
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
        /** Sessions: refresh */
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
         * List sessions
         * @description Other query parameters are rejected with 400.
         */
        get: operations["sessionsList"];
        put?: never;
        /** Open sessions */
        post: operations["sessionsOpen"];
        delete?: never;
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
        /** End sessions */
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
        /** Health: ready */
        get: operations["healthReady"];
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
        /** Health: live */
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
        /** Health: ready */
        get: operations["healthReady2"];
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
         * List items
         * @description Other query parameters are rejected with 400.
         */
        get: operations["itemsList"];
        put?: never;
        /** Create items (admin) */
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
        /** Read items */
        get: operations["itemsRead"];
        put?: never;
        post?: never;
        /** Remove items (admin) */
        delete: operations["itemsRemove"];
        options?: never;
        head?: never;
        /** Update items (admin) */
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
         * List orders
         * @description Other query parameters are rejected with 400.
         */
        get: operations["ordersList"];
        put?: never;
        /** Create orders */
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
        /** Read orders */
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
         * List posts
         * @description Other query parameters are rejected with 400.
         */
        get: operations["postsList"];
        put?: never;
        /** Create posts */
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
        /** Read posts */
        get: operations["postsRead"];
        put?: never;
        post?: never;
        /** Remove posts */
        delete: operations["postsRemove"];
        options?: never;
        head?: never;
        /** Rename posts */
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
         * List users (admin)
         * @description Other query parameters are rejected with 400.
         */
        get: operations["usersList"];
        put?: never;
        /** Create users */
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
        /** Read users */
        get: operations["usersRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update users
         * @description 403 unless the caller signed in within the last 15 minutes.
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
        /** Users: me as administrator (admin) */
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
        /** Users: me */
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
        /** Read pictures */
        get: operations["picturesRead"];
        /** Pictures: replace */
        put: operations["picturesReplace"];
        post?: never;
        /** Remove pictures */
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
        ApiKey: {
            id: number;
            name: string;
            apiKey: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        CompletePasswordReset: {
            token: string;
            password: string;
        };
        CreateItem: {
            sku: string;
            name: string;
            price: number;
        };
        CreateOrder: {
            items: components["schemas"]["OrderItem"][];
        };
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
        Health: {
            /** @enum {string} */
            status: "ok" | "unavailable" | "draining";
            checks?: components["schemas"]["HealthChecks"];
        };
        HealthChecks: {
            /** @enum {string} */
            store: "ok" | "unavailable";
            writes: boolean;
        };
        InvalidInput: {
            /** @constant */
            statusCode: 400;
            message: string[];
            /** @constant */
            error: "Bad Request";
        } | components["schemas"]["Error"];
        Item: {
            id: number;
            sku: string;
            name: string;
            price: number;
            /** Format: date-time */
            createdAt: string;
        };
        LoginRequest: {
            username: string;
            password: string;
        };
        LoginResponse: {
            access_token: string;
        };
        MadeApiKey: {
            id: number;
            name: string;
            apiKey: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        MakeApiKey: {
            name: string;
        };
        Order: {
            id: number;
            items: components["schemas"]["OrderLine"][];
            /** Format: date-time */
            createdAt: string;
        };
        OrderItem: {
            sku: string;
            quantity: string;
        };
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
        Picture: {
            /** @example 48213 */
            bytes: number;
            /** Format: date-time */
            createdAt: string;
        };
        Post: {
            id: number;
            slug: string;
            authorId: number | null;
            /** Format: date-time */
            createdAt: string;
        };
        Profile: {
            userId: number;
            username: string;
        };
        RefreshRequest: {
            refresh_token: string;
        };
        RequestPasswordReset: {
            username: string;
        };
        Session: {
            id: number;
            ip: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SessionTokens: {
            access_token: string;
            refresh_token: string;
        };
        SignedUp: {
            /** @constant */
            ok?: true;
            email: string;
        };
        Unauthorized: {
            /** @constant */
            statusCode: 401;
            /** @constant */
            message: "Unauthorized";
        };
        UpdateItem: {
            sku?: string;
            name?: string;
            price?: number;
        };
        "User.admin": {
            id: number;
            email: string;
            /** @enum {string} */
            role: "user" | "admin";
            lastLoginIp: string | null;
        };
        "User.user": {
            id: number;
            email: string;
        };
        "UserDto.create": {
            /** Format: email */
            email: string;
            password: string;
        };
        "UserDto.update": {
            /** Format: email */
            email: string;
            password?: string;
        };
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
        /** @description The caller is not allowed to do this, the account is disabled, or a recent sign-in is needed. */
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
        /** @description The request is well-formed, but cannot be processed, such as a form without its file. */
        Status422: {
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
                limit?: number;
                page?: number;
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
                 *       "name": "correct horse battery staple"
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
                limit?: number;
                page?: number;
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
    healthReady2: {
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
                /** @description The order of the items; `-` is descending. Items without a value come last. */
                sort?: "sku" | "-sku" | "name" | "-name" | "price" | "-price";
                limit?: number;
                page?: number;
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
                    "application/json": components["schemas"]["PageOfItem"];
                };
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
            header?: never;
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
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    itemsRead: {
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
                    "application/json": components["schemas"]["Item"];
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
    itemsRemove: {
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
    itemsUpdate: {
        parameters: {
            query?: never;
            header?: never;
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
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    ordersList: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
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
                    "application/json": components["schemas"]["PageOfOrder"];
                };
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
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            403: components["responses"]["Status403"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    ordersRead: {
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
                    "application/json": components["schemas"]["Order"];
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
    postsList: {
        parameters: {
            query?: {
                authorId?: number;
                /** @description The order of the items; `-` is descending. Items without a value come last. */
                sort?: "slug" | "-slug";
                limit?: number;
                page?: number;
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
                    "application/json": components["schemas"]["PageOfPost"];
                };
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
            header?: never;
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
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsRead: {
        parameters: {
            query?: never;
            header?: never;
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
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsRemove: {
        parameters: {
            query?: never;
            header?: never;
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
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    postsRename: {
        parameters: {
            query?: never;
            header?: never;
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
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            503: components["responses"]["Status503"];
            default: components["responses"]["Other"];
        };
    };
    usersList: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
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
