/** The files that a route accepts, as `multipart/form-data`. */
export interface UploadRule {
  /** The form field's name. */
  readonly field: string;
  /** The media types, recognised by a file's first bytes; empty accepts every type. */
  readonly types: readonly string[];
  /** A file's maximum size. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Whether the handler receives a list. */
  readonly isList: boolean;
}
