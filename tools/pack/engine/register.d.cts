/** For `node --import`: Nest's own pipe and interceptor use the engine. It exports nothing. */
declare const nothing: object;
export = nothing;
