/** The log of the ingress, for facts that are not sent to callers. A pino logger is one. */
export interface IngressLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
