import 'reflect-metadata';
import { type INestApplication, Module } from '@nestjs/common';
import { ClassSerializerInterceptor } from '@nestjs/common'; // the changed line
import { NestFactory, Reflector } from '@nestjs/core';
import {
  CheckedController,
  OrdersController,
  StrictController,
  StrippedController,
} from './orders.controller';

@Module({ controllers: [OrdersController, CheckedController, StrippedController, StrictController] })
class AppModule {}

async function createApp(): Promise<INestApplication> {
  const options = { logger: false } as const;
  if (process.env['ADAPTER'] === 'express') return NestFactory.create(AppModule, options);
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return NestFactory.create(AppModule, new FastifyAdapter(), options);
}

async function start(): Promise<void> {
  const app = await createApp();
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`listening on ${await app.getUrl()}\n`);
}

void start();
