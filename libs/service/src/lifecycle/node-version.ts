/** The oldest Node that runs us. */
export const oldestNode = '24.16';

const oldest = oldestNode.split('.').map(Number);

/**
 * Says what is wrong with the Node that runs us. The manifest's `engines` says the same to npm.
 *
 * @param version as in `process.versions.node`
 * @returns one line that tells what to do, or `undefined` if this Node will do
 */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return (
    `Sluice needs Node ${oldestNode} or newer; this is ${version}. ` +
    'Run it through npm (npm start), which brings a Node of its own, or install a newer one.'
  );
}
