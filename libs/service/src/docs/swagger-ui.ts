import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of Swagger UI that the page needs. */
export type SwaggerUiFile = 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'favicon-32x32.png';

const read = new Map<SwaggerUiFile, Promise<Buffer>>();

/**
 * Reads a file of Swagger UI from its package, which is resolved on the first request and not at start. Read once: all
 * responses share one buffer, so that responses that nobody reads take no memory.
 */
export function readSwaggerUi(file: SwaggerUiFile): Promise<Buffer> {
  const bytes = read.get(file) ?? readPackageFile(file);
  read.set(file, bytes);
  return bytes;
}

async function readPackageFile(file: SwaggerUiFile): Promise<Buffer> {
  const manifest = createRequire(join(__dirname, 'swagger-ui.js')).resolve('swagger-ui-dist/package.json');
  try {
    return await readFile(join(dirname(manifest), file));
  } catch (error) {
    read.delete(file);
    throw error;
  }
}
