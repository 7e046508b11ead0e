export { type ApiClient, type ClientOptions, createClient } from './create-client';
export { SessionError } from './errors';
export type { Session } from './session';
export type { components, operations, paths } from './api';
