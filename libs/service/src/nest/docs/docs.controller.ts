import { Public } from '@app/auth';
import { Answers } from '@app/serialization';
import { Controller, Get, Header } from '@nestjs/common';
import { page, pagePolicy, pageStyle } from '../../docs/page';
import { pageScript } from '../../docs/page-script';
import { readSwaggerUi } from '../../docs/swagger-ui';
import { ApiDescription } from './api-description';

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';
/** Files of a package, which change only with a release. */
const cacheForAnHour = 'public, max-age=3600';

/** The API reference, as an OpenAPI document and as a page. Both are public (decision D1). */
@Controller()
@Public()
export class DocsController {
  constructor(private readonly description: ApiDescription) {}

  @Get('openapi.json')
  @Header('Content-Type', 'application/json; charset=utf-8')
  describe(): string {
    return JSON.stringify(this.description.document());
  }

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', pagePolicy)
  page(): string {
    return page;
  }

  @Get('docs/page.css')
  @Header('Content-Type', style)
  style(): string {
    return pageStyle;
  }

  @Get('docs/page.js')
  @Header('Content-Type', script)
  script(): string {
    return pageScript;
  }

  @Get('docs/swagger-ui.css')
  @Header('Content-Type', style)
  @Header('Cache-Control', cacheForAnHour)
  @Answers('bytes')
  uiStyle(): Promise<Buffer> {
    return readSwaggerUi('swagger-ui.css');
  }

  @Get('docs/swagger-ui-bundle.js')
  @Header('Content-Type', script)
  @Header('Cache-Control', cacheForAnHour)
  @Answers('bytes')
  uiScript(): Promise<Buffer> {
    return readSwaggerUi('swagger-ui-bundle.js');
  }

  @Get('docs/favicon.png')
  @Header('Content-Type', 'image/png')
  @Header('Cache-Control', cacheForAnHour)
  @Answers('bytes')
  icon(): Promise<Buffer> {
    return readSwaggerUi('favicon-32x32.png');
  }
}
