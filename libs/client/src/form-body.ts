/**
 * Writes a request body: a form if a member is a file or a file list, otherwise JSON. Form members other than files and text are
 * written as JSON.
 */
export function writeBody(body: unknown): FormData | string {
  if (!hasFile(body)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const item of [value].flat())
      if (item !== undefined)
        form.append(name, isFile(item) || typeof item === 'string' ? item : JSON.stringify(item));
  }
  return form;
}

function hasFile(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && Object.values(body).flat().some(isFile);
}

function isFile(value: unknown): value is Blob {
  return value instanceof Blob;
}
