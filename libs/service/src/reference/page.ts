/** The content security policy of the page: own files and same-origin requests only. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page. Its content is rendered by Swagger UI from `/openapi.json`.
 *
 * @param needsSession whether the document is only sent to callers: it is loaded after the sign-in then
 */
export const page = ({ needsSession }: { readonly needsSession: boolean }): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API reference</title>
    <link rel="icon" type="image/png" href="docs/favicon.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <form id="sign-in" aria-label="Sign in">
      <input id="username" type="email" autocomplete="username" placeholder="e-mail" aria-label="E-mail" required>
      <input id="password" type="password" autocomplete="current-password" placeholder="password"
        aria-label="Password" required>
      <input id="code" autocomplete="one-time-code" placeholder="code" aria-label="Code of the second factor" required hidden disabled>
      <button id="enter">Sign in</button>
      <button id="passkey" type="button" hidden>Use a passkey</button>
      <button id="leave" type="button" hidden>Sign out</button>
      <output id="state">${needsSession ? 'Sign in to read the reference' : 'Not signed in'}</output>
    </form>
    <div id="reference"${needsSession ? ' data-needs-session' : ''}></div>
    <noscript>This page needs JavaScript. The description itself: <a href="openapi.json">openapi.json</a></noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

/** In addition to Swagger UI's own style: the sign-in form, narrow screens and dark mode. */
export const pageStyle = `html { box-sizing: border-box; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fff; color: #3b4151; font-family: sans-serif; }
noscript { display: block; padding: 1rem; }
#sign-in {
  position: sticky; top: 0; z-index: 10; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center;
  padding: .5rem 1rem; background: #f4f5f7; border-bottom: 1px solid #d8dde7;
}
#sign-in input { flex: 1 1 9rem; max-width: 16rem; min-width: 0; }
#sign-in input, #sign-in button {
  padding: .45rem .7rem; font: inherit; font-size: .9rem; color: inherit;
  background: #fff; border: 1px solid #8b93a5; border-radius: 4px;
}
#sign-in button { cursor: pointer; font-weight: 600; }
#sign-in [hidden] { display: none; }
#state { font-size: .85rem; overflow-wrap: anywhere; }
html.dark-mode body { background: #1c2022; color: #e4e6e6; }
html.dark-mode #sign-in { background: #24292b; border-color: #3b4548; }
html.dark-mode #sign-in input, html.dark-mode #sign-in button { background: #1c2022; border-color: #5b676b; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 .5rem; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; flex-shrink: 1; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; }
  .swagger-ui table, .swagger-ui tbody, .swagger-ui tr, .swagger-ui td { display: block; max-width: 100%; }
  .swagger-ui table thead { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui textarea { max-width: 100%; }
  .swagger-ui .highlight-code, .swagger-ui .model-box { max-width: 100%; overflow-x: auto; }
}
`;
