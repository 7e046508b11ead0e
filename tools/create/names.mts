/** The spellings of a project's name. */
export interface Names {
  /** The name in folders and aliases: `back-office`. */
  readonly kebab: string;
  /** The name in values: `backOffice`. */
  readonly camel: string;
  /** The name in classes: `BackOffice`. */
  readonly pascal: string;
}

/**
 * Parses the name for a new project.
 *
 * @param taken the names that existing projects have
 * @throws Error that describes valid names
 */
export function readNames(name: string | undefined, taken: readonly string[]): Names {
  if (name === undefined || !/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(name)) {
    const fault = name === undefined ? 'a name is missing' : `${JSON.stringify(name)} is not a valid name`;
    throw new Error(`${fault}: lowercase words, joined by dashes, such as back-office`);
  }
  if (taken.includes(name)) throw new Error(`${name} is taken: see "projects" in nest-cli.json`);
  const pascal = name.split('-').map(capitalize).join('');
  return { kebab: name, camel: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`, pascal };
}

function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
