/** The content security policy of the page: own files and same-origin requests only. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The page. Swagger UI renders its content from `/openapi.json`.
 *
 * @param needsSession whether the document is only sent to callers, so that it is loaded after the sign-in
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

/**
 * The stylesheet for the sign-in form, narrow screens and dark mode. Its colors replace Swagger UI's, with a contrast of 4.5 or
 * more.
 *
 * @see WCAG 2.2, success criterion 1.4.3
 */
export const pageStyle = `html { box-sizing: border-box; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fff; color: #3b4151; font-family: sans-serif; }
noscript { display: block; padding: 1rem; }
#sign-in {
  position: sticky; top: 0; z-index: 10; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center;
  padding: .5rem 1rem; background: #f4f5f7; border-bottom: 1px solid #d8dde7;
  input { flex: 1 1 9rem; max-width: 16rem; min-width: 0; }
  input, button {
    padding: .45rem .7rem; font: inherit; font-size: .9rem; color: inherit;
    background: #fff; border: 1px solid #8b93a5; border-radius: 4px;
  }
  button { cursor: pointer; font-weight: 600; }
  [hidden] { display: none; }
}
#state { font-size: .85rem; overflow-wrap: anywhere; }
.swagger-ui {
  .info .title small { background: #4b5262; pre.version { color: #fff; } }
  .info .title small.version-stamp { background: #4d6b00; }
  .info .url, .info a { color: #1f5fae; }
  .btn.authorize, .btn.authorize span { border-color: #1b6e49; color: #1b6e49; }
  .btn.authorize svg { fill: #1b6e49; }
  .opblock.opblock-get .opblock-summary-method { background: #1f5fae; }
  .opblock.opblock-post .opblock-summary-method { background: #1b6e49; }
  .opblock.opblock-put .opblock-summary-method { background: #8a5200; }
  .opblock.opblock-patch .opblock-summary-method { background: #0f6b5c; }
  .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
  .btn.cancel, .btn.try-out__btn.cancel { border-color: #b3261e; color: #b3261e; }
  .btn.execute { background: #1f5fae; border-color: #1f5fae; color: #fff; }
  .parameter__in, .parameter__type, .prop-format { color: #5a5a5a; }
  .parameter__name.required span, .parameter__name.required::after { color: #b3261e; }
  .microlight span { color: #fff !important; }
  .json-schema-2020-12-expand-deep-button { color: #4b4b4b; }
}
html.dark-mode {
  body { background: #1c2022; color: #e4e6e6; }
  #sign-in { background: #24292b; border-color: #3b4548; input, button { background: #1c2022; border-color: #5b676b; } }
  .swagger-ui {
    .opblock-section-header, .scheme-container { background: #24292b; }
    .info .url, .info a { color: #9cc4ff; }
    .btn.authorize, .btn.authorize span { border-color: #7ddbae; color: #7ddbae; }
    .btn.authorize svg { fill: #7ddbae; }
    .btn.cancel, .try-out .btn.try-out__btn.cancel { border-color: #ffb4ab; color: #ffb4ab; }
    .parameter__in, .parameter__type, .prop-format, .json-schema-2020-12-expand-deep-button { color: #c3c9cb; }
    .parameter__name.required span, .parameter__name.required::after { color: #ffb4ab; }
    .headers .header-col, table.headers td, table thead tr th, table thead tr td { color: #e4e6e6; }
  }
}
@media (max-width: 640px) {
  .swagger-ui {
    .wrapper { padding: 0 .5rem; }
    .opblock .opblock-summary { flex-wrap: wrap; }
    .opblock .opblock-summary-path { max-width: 100%; flex-shrink: 1; overflow-wrap: anywhere; }
    .opblock .opblock-summary-description { flex-basis: 100%; }
    table, tbody, tr, td { display: block; max-width: 100%; }
    table thead { display: none; }
    .parameters-col_description input, textarea { max-width: 100%; }
    .highlight-code, .model-box { max-width: 100%; overflow-x: auto; }
  }
}
`;
