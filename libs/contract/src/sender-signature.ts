/** The signature by which a route recognizes the sender of a webhook. */
export interface SenderSignature {
  /** The name of the scheme, such as `stripe`. */
  readonly scheme: string;
  /** The header field with the signature. */
  readonly header: string;
}
