/** A deprecated route's dates, and its documentation. */
export interface Deprecation {
  /** The day since which the route is deprecated, such as `2026-11-01`, in UTC. */
  readonly since: string;
  /** The day on which the route stops to work. */
  readonly sunset?: string;
  /** The URL of a page that says what to use instead. */
  readonly see?: string;
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Checks a declared deprecation. @throws TypeError for a day that does not exist, a sunset before `since`, or an invalid URL */
export function checkDeprecation({ since, sunset, see }: Deprecation): void {
  for (const day of [since, sunset])
    if (day !== undefined && !isDay(day))
      throw new TypeError(`@Deprecated: ${JSON.stringify(day)} must be a day such as '2026-11-01'`);
  if (sunset !== undefined && sunset < since)
    throw new TypeError(`@Deprecated: the sunset ${sunset} must not be before ${since}`);
  if (see !== undefined && !URL.canParse(see))
    throw new TypeError(`@Deprecated: ${JSON.stringify(see)} must be an absolute URL`);
}

function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return dayForm.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/**
 * Returns a deprecated route's header fields.
 *
 * @see RFC 9745 (`Deprecation`, a structured date, and the link relation), RFC 8594 (`Sunset`)
 */
export function deprecationFields({ since, sunset, see }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(see !== undefined && { Link: `<${new URL(see).href}>; rel="deprecation"; type="text/html"` }),
  };
}

/** Returns the sentence of a deprecated route for the OpenAPI description. */
export function deprecationText({ since, sunset, see }: Deprecation): string {
  const end = sunset === undefined ? '' : `, and stops to work on ${sunset}`;
  return `Deprecated since ${since}${end}.${see === undefined ? '' : ` See ${see}.`}`;
}
