import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { port } from '../serve.mts';
import { AppModule, asDocumented } from './nest.mts';

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: false,
});
asDocumented(app);
await app.listen(port, '127.0.0.1');
