import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StaticFile } from './static-file';

/** The files of Swagger UI that the page needs. */
export type SwaggerUiFile = 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'favicon-32x32.png';

const read = new Map<SwaggerUiFile, Promise<StaticFile>>();

/** Reads a file of Swagger UI from its package, once; the package is resolved on the first request and not at start. */
export function readSwaggerUi(file: SwaggerUiFile): Promise<StaticFile> {
  const known = read.get(file) ?? readPackageFile(file);
  read.set(file, known);
  return known;
}

async function readPackageFile(file: SwaggerUiFile): Promise<StaticFile> {
  const manifest = createRequire(join(__dirname, 'swagger-ui.js')).resolve('swagger-ui-dist/package.json');
  try {
    return new StaticFile(await readFile(join(dirname(manifest), file)));
  } catch (error) {
    read.delete(file);
    throw error;
  }
}
