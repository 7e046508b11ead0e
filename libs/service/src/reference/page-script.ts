/**
 * The script of the reference page: it shows the reference, and keeps the user signed in.
 *
 * It creates a session instead of a plain login, so that the short-lived access token can be refreshed before a request.
 * Tokens are only kept in the script's memory.
 */
export const pageScript = `'use strict';
const marginMs = 15000;
const at = (id) => document.getElementById(id);
let session;
let refreshing;

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

const needsSession = 'needsSession' in at('reference').dataset;
const reference = SwaggerUIBundle({
  url: needsSession ? undefined : 'openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor: withFreshToken,
  onComplete: () => session && reference.preauthorizeApiKey('jwt', session.access),
});

async function withFreshToken(request) {
  if (needsSession && request.loadSpec) request.headers = { ...request.headers, Authorization: 'Bearer ' };
  if (!session || !request.headers?.Authorization?.startsWith('Bearer ')) return request;
  if (Date.now() > session.expiresAt - marginMs) await (refreshing ??= refresh().finally(() => (refreshing = undefined)));
  if (session) request.headers.Authorization = 'Bearer ' + session.access;
  return request;
}

async function refresh() {
  try {
    keep(await post('auth/refresh', { refresh_token: session.refresh }));
  } catch {
    forget('The session has ended: sign in again');
  }
}

async function post(path, body, headers) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Error('the service cannot be reached');
  });
  const json = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(reasonOf(response, json));
  return json;
}

function reasonOf({ status, headers }, { message }) {
  if (status === 401) return 'the e-mail or the password is wrong';
  if (status === 429) return 'too many attempts, try again in ' + waitOf(headers.get('Retry-After'));
  if (status === 503) return 'the service is busy, try again in ' + waitOf(headers.get('Retry-After'));
  return [message].flat().join(', ');
}

function waitOf(seconds) {
  return seconds > 90 ? Math.ceil(seconds / 60) + ' minutes' : seconds + ' seconds';
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
    keep(await post('auth/sessions', { username, password }));
    if (needsSession) reference.specActions.download('openapi.json');
    at('password').value = '';
    show('Signed in as ' + username);
  } catch (error) {
    show('Not signed in: ' + error.message);
  }
});

at('leave').addEventListener('click', async () => {
  const { access } = session;
  forget('Not signed in');
  await post('auth/logout', undefined, { Authorization: 'Bearer ' + access }).catch(() => undefined);
});
`;
