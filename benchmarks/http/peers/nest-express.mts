import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { port } from '../serve.mts';
import { AppModule, asDocumented } from './nest.mts';

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
asDocumented(app);
await app.listen(port, '127.0.0.1');
