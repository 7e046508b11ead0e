/**
 * What runs in the reader's browser: it shows the reference, and keeps the reader signed in while they try it.
 *
 * A session is opened rather than a plain login, so that a token which lives a minute can be turned before a call. The
 * tokens stand in this script's memory alone, and are gone with the page.
 */
export const pageScript = `'use strict';
const marginMs = 15000;
const at = (id) => document.getElementById(id);
let session;
let turning;

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

const reference = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor: withFreshToken,
});

async function withFreshToken(request) {
  if (!session || !request.headers?.Authorization?.startsWith('Bearer ')) return request;
  if (Date.now() > session.expiresAt - marginMs) await (turning ??= turn().finally(() => (turning = undefined)));
  if (session) request.headers.Authorization = 'Bearer ' + session.access;
  return request;
}

async function turn() {
  try {
    keep(await ask('/auth/refresh', { refresh_token: session.refresh }));
  } catch {
    forget('The session has ended: sign in again');
  }
}

async function ask(path, body, headers) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  });
  const told = answer.status === 204 ? undefined : await answer.json();
  if (!answer.ok) throw new Error([told.message].flat().join(', '));
  return told;
}

function keep({ access_token: access, refresh_token: refresh }) {
  const { exp } = JSON.parse(atob(access.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
  session = { access, refresh, expiresAt: exp * 1000 };
  reference.preauthorizeApiKey('jwt', access);
}

function forget(state) {
  session = undefined;
  reference.authActions.logout(['jwt']);
  show(state);
}

function show(state) {
  at('state').textContent = state;
  for (const id of ['username', 'password', 'enter']) at(id).hidden = Boolean(session);
  at('leave').hidden = !session;
}

at('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const [username, password] = [at('username').value, at('password').value];
  try {
    keep(await ask('/auth/sessions', { username, password }));
    at('password').value = '';
    show('Signed in as ' + username);
  } catch (error) {
    show('Not signed in: ' + error.message);
  }
});

at('leave').addEventListener('click', async () => {
  const { access } = session;
  forget('Not signed in');
  await ask('/auth/logout', undefined, { Authorization: 'Bearer ' + access }).catch(() => undefined);
});
`;
