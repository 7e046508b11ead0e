export type { components, operations, paths } from './api';
export { type ApiClient, createClient } from './create-client';
export { ListError, SessionError } from './errors';
export type { InvalidValue, Problem } from './problems';
export { type SessionStorage, webStorage } from './session-storage';
export type { GivenFactor, PendingSignIn } from './session';
export type * from './schemas';
