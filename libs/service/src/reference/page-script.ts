/**
 * The script for the reference page. It shows the reference, and keeps the user signed in.
 *
 * The script creates a session instead of a plain login, so that it can refresh the short-lived access token before a request.
 * It keeps tokens only in memory.
 */
export const pageScript = `'use strict';
const marginMs = 15000;
const at = (id) => document.getElementById(id);
let session, pending, refreshing, canUsePasskey = false;

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
  if (status === 401) return pending ? 'the second factor is wrong, or more than five minutes have passed' : 'the e-mail or the password is wrong';
  if (status === 429) return 'too many attempts, try again in ' + waitOf(headers.get('Retry-After'));
  if (status === 503) return 'the service is busy, try again in ' + waitOf(headers.get('Retry-After'));
  return [message].flat().join(', ');
}

function waitOf(seconds) {
  return seconds > 90 ? Math.ceil(seconds / 60) + ' minutes' : seconds + ' seconds';
}

/** Codes of authenticator applications have six digits; recovery codes are longer. */
function completeSignIn(code) {
  const factor = /^[0-9]{6}$/.test(code) ? 'totp' : 'recovery-code';
  return post('auth/sessions/complete', { mfa_token: pending, factor, code });
}

async function completeWithPasskey() {
  const { options } = await post('auth/passkeys', { mfa_token: pending });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(({ name }) => {
    throw new Error(name === 'SecurityError' ? 'passkeys belong to another domain than this page' : 'no passkey was used');
  });
  return post('auth/sessions/complete', { mfa_token: pending, factor: 'passkey', credential: credential.toJSON() });
}

function keep({ access_token: access, refresh_token: refresh, expires_in: seconds }) {
  session = { access, refresh, expiresAt: Date.now() + seconds * 1000 };
  reference.preauthorizeApiKey('jwt', access);
}

function forget(state) {
  session = pending = undefined;
  reference.authActions.logout(['jwt']);
  show(state);
}

function show(state) {
  at('state').textContent = state;
  for (const id of ['username', 'password']) at(id).hidden = at(id).disabled = Boolean(session || pending);
  at('code').hidden = at('code').disabled = !pending;
  at('passkey').hidden = !pending || !canUsePasskey;
  at('enter').hidden = Boolean(session);
  at('leave').hidden = !session && !pending;
  at('leave').textContent = session ? 'Sign out' : 'Cancel';
}

async function signIn(replied) {
  try {
    const reply = await replied;
    for (const id of ['password', 'code']) at(id).value = '';
    pending = reply.mfa_token;
    if (pending) {
      canUsePasskey = reply.factors.includes('passkey');
      const code = 'a code of your authenticator application, or a recovery code';
      show(canUsePasskey ? 'Use a passkey, or enter ' + code : 'Enter ' + code);
      return at(canUsePasskey ? 'passkey' : 'code').focus();
    }
    keep(reply);
    if (needsSession) reference.specActions.download('openapi.json');
    show('Signed in as ' + at('username').value);
  } catch (error) {
    show('Not signed in: ' + error.message);
  }
}

at('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  const [username, password, code] = [at('username').value, at('password').value, at('code').value.trim()];
  return signIn(pending ? completeSignIn(code) : post('auth/sessions', { username, password }));
});

at('passkey').addEventListener('click', () => signIn(completeWithPasskey()));

at('leave').addEventListener('click', async () => {
  const { access } = session ?? {};
  forget('Not signed in');
  if (!access) return;
  await post('auth/logout', undefined, { Authorization: 'Bearer ' + access }).catch(() => undefined);
});

// Names, heading levels and landmarks, which assistive technologies need. Swagger UI keeps attributes that it does not set itself.
const nameOf = {
  '#servers': () => 'Server',
  '.parameters-col_description select, .parameters-col_description textarea, .parameters-col_description input': (field) =>
    field.closest('[data-param-name]')?.dataset.paramName ?? 'Value',
  '.body-param__text, .opblock-section-request-body textarea': () => 'Request body',
  '.opblock-section-request-body select, .content-type': () => 'Media type',
  '.examples-select-element': () => 'Example',
  '.information-container': () => 'About',
  '.schemes-server-container': () => 'Server and sign-in',
  '[role=region]': (region) => region.id,
};

function complete() {
  set('.information-container, .schemes-server-container', 'role', 'region');
  for (const [selector, name] of Object.entries(nameOf))
    for (const element of at('reference').querySelectorAll(selector))
      if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', name(element));
  set('h3', 'aria-level', '2');
  set('h4', 'aria-level', '3');
  set('h5', 'aria-level', '4');
  // A link inside of a button cannot be reached by the keyboard; the button opens the operation, and sets the address.
  for (const link of at('reference').querySelectorAll('button a[href]')) link.removeAttribute('href');
}

function set(selector, name, value) {
  for (const element of at('reference').querySelectorAll(selector))
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

new MutationObserver(complete).observe(at('reference'), { childList: true, subtree: true });
`;
