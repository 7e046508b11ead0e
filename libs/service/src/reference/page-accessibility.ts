/**
 * The part of the page's script that adds to the elements of Swagger UI what assistive technologies need: names of fields, the
 * levels of headings, landmarks. Swagger UI keeps attributes that it does not set itself.
 */
export const pageAccessibility = `
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
    for (const one of at('reference').querySelectorAll(selector))
      if (!one.hasAttribute('aria-label')) one.setAttribute('aria-label', name(one));
  set('h3', 'aria-level', '2');
  set('h4', 'aria-level', '3');
  set('h5', 'aria-level', '4');
  // A link inside of a button cannot be reached by the keyboard; the button opens the operation, and sets the address.
  for (const link of at('reference').querySelectorAll('button a[href]')) link.removeAttribute('href');
}

function set(selector, name, value) {
  for (const one of at('reference').querySelectorAll(selector))
    if (one.getAttribute(name) !== value) one.setAttribute(name, value);
}

new MutationObserver(complete).observe(at('reference'), { childList: true, subtree: true });
`;
