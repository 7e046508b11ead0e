import { MIN_SECRET_BYTES } from '../tokens/token-key';

/** Secrets of 32 bytes and more from public documentation. */
const PUBLISHED = new Set([
  // jwt.io
  'a-string-secret-at-least-256-bits-long',
  'a-valid-string-secret-that-is-at-least-384-bits-long',
  'a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long',
  // NestJS, the authentication chapter
  'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET AND KEEP IT SAFE OUTSIDE OF THE SOURCE CODE.',
  // FastAPI, the security tutorial
  '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
  // jose, the HS256 examples
  'cc7e0d44fd473002f1c42167459001140ec6389b7353f8088f4d9a95f2f596f2',
  // RFC 7515 appendix A.1, RFC 7520 §3.5
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  'hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg',
  // PostgREST
  'reallyreallyreallyreallyverysafe',
  // Supabase
  'super-secret-jwt-token-with-at-least-32-characters-long',
  // Tutorials for Spring Security, and for half a dozen other frameworks
  '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970',
  'my-32-character-ultra-secure-and-ultra-long-secret',
]);

/** Placeholders as in READMEs; unlikely in random text. */
const PLACEHOLDER =
  /change[-_ ]?(me|this|it|in[-_ ]?production)|your[-_ ]?(own[-_ ]?)?(very[-_ ]?)?(super[-_ ]?)?(long[-_ ]?)?(jwt|secret|256)|at[-_ ]least[-_ ]?\d+|do[-_ ]not[-_ ]use|replace[-_ ]?(me|this)|placeholder/i;

const MAX_PERIOD = 16;

/**
 * Returns why a secret is too weak for signing.
 *
 * @returns the predicate of a message, which omits the secret; `undefined` if no weakness was found
 */
export function weaknessOf(secret: string): string | undefined {
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) return `must have at least ${MIN_SECRET_BYTES} bytes`;
  if (PUBLISHED.has(secret) || PLACEHOLDER.test(secret)) return 'must not be a published example';
  if (isRepetition(secret)) return 'must not be a repeated short string';
  return undefined;
}

/** Returns whether the text repeats with a short period. */
function isRepetition(text: string): boolean {
  for (let period = 1; period <= MAX_PERIOD; period += 1) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}
