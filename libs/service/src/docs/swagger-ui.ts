import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of Swagger UI that the page needs. */
export type SwaggerUiFile = 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'favicon-32x32.png';

/** Reads a file of Swagger UI from its package, which is resolved on the first request and not at start. */
export function readSwaggerUi(file: SwaggerUiFile): Promise<Buffer> {
  const manifest = createRequire(join(__dirname, 'swagger-ui.js')).resolve('swagger-ui-dist/package.json');
  return readFile(join(dirname(manifest), file));
}
