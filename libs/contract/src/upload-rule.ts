/** The files that a route accepts, as `multipart/form-data`. */
export interface UploadRule {
  /** The name of the form field. */
  readonly field: string;
  /** The media types, recognised by the first bytes of a file; empty accepts every type. */
  readonly types: readonly string[];
  /** The maximum size of a file. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Whether the handler receives a list. */
  readonly isList: boolean;
}
