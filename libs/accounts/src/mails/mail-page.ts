import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; }
body { max-width: 24rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }
input, button { box-sizing: border-box; width: 100%; margin: .25rem 0 1rem; padding: .5rem; font: inherit; }
`;

/** The script that sends the form. It reads the token from the fragment. Its paths are relative, so that a path prefix stays. */
const script = `
const form = document.querySelector('form');
const told = document.querySelector('output');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  const body = JSON.stringify({ token, password: form.elements.password.value });
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await fetch(form.dataset.route, { method: 'POST', headers, body });
    const reply = response.ok ? {} : await response.json();
    told.textContent = response.ok
      ? 'The new password is set. You can sign in with it.'
      : [reply.message ?? reply.detail ?? response.statusText].flat().join(', ');
    if (response.ok) form.remove();
  } catch {
    told.textContent = 'The service did not answer. Try again.';
  }
});
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The content security policy of the pages, which permits their own style and script, and requests to their own origin. */
export const mailPagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the page behind a mailed link: a form for a new password.
 *
 * @param title the form's effect
 * @param route the route that gets the token and the password; relative to the page
 */
export function mailPage(title: string, route: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<form data-route="${route}">
<label>New password <input name="password" type="password" autocomplete="new-password" required></label>
<button>${title}</button>
</form>
<output></output>
</main>
<script>${script}</script>
</body>
</html>
`);
}
