import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { correctDocument } from '../../../../libs/engine/src/openapi'; // '@sluice/engine/openapi'
import { OrdersController } from './orders';

@Module({ controllers: [OrdersController] })
class AppModule {}

/** Prints the document of @nestjs/swagger, and the corrected one. */
async function describe(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.init();
  const before = SwaggerModule.createDocument(app, new DocumentBuilder().setTitle('Orders').build());
  process.stdout.write(`${JSON.stringify({ before, after: correctDocument(app, before) })}\n`);
  await app.close();
}

void describe();
