import type { IncomingMessage } from 'node:http';
import type { UploadRule } from '@app/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admission } from '../rate-limit/admission';
import type { RouteHandler } from './compile-route';

/** A route with a handler that receives files. */
export interface FileRoute {
  /** The HTTP method, such as `POST`. */
  readonly method: string;
  readonly path: string;
  readonly rule: UploadRule;
  /** Whether the handler has a body: the form's text fields. */
  readonly takesFields: boolean;
  readonly authorize: ((request: FastifyRequest) => unknown) | undefined;
  readonly admit: Admission | undefined;
  /** Handles the request once its files have arrived. It replies to errors itself. */
  readonly handler: RouteHandler;
}

/** Receives the files of requests before their handlers run. A plugin provides it. */
export abstract class FileRoutes {
  /** Returns whether a request is an upload with an authorized caller. */
  abstract isUpload(request: IncomingMessage): boolean;

  /**
   * Registers a route.
   *
   * @param original as Nest registers it, with the route's configuration
   */
  abstract add(server: FastifyInstance, original: RouteHandler, route: FileRoute): void;
}

const rules = new WeakMap<object, UploadRule>();

/** Declares that a handler receives files. */
export function declareUpload(handler: object, rule: UploadRule): void {
  rules.set(handler, rule);
}

/** Returns the upload rule of a handler, if it receives files. */
export function uploadRuleOf(handler: object): UploadRule | undefined {
  return rules.get(handler);
}
