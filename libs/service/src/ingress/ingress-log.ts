/** Where the ingress logs what callers are not told. A pino logger is one. */
export interface IngressLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
