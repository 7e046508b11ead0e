/** The oldest supported version of Node. */
export const oldestNode = '24.16';

const oldest = oldestNode.split('.').map(Number);

/**
 * Checks the Node version. `engines` in the manifest states the same to npm.
 *
 * @param version as in `process.versions.node`
 * @returns a line that says how to fix it, or `undefined` if the version is supported
 */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return (
    `Sluice needs Node ${oldestNode} or newer; this is ${version}. ` +
    `Install Node ${oldestNode} or newer. In a workspace, npm start runs the Node of its dependencies.`
  );
}
