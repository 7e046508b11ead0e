/** What a route accepts as files, by `multipart/form-data`. */
export interface UploadRule {
  /** The name of the form field. */
  readonly field: string;
  /** The media types, recognised by the first bytes of a file; empty accepts every type. */
  readonly types: readonly string[];
  /** Of one file. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Whether the handler receives a list. */
  readonly isList: boolean;
}
