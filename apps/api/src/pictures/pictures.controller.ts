import type { SignedInUser } from '@app/accounts';
import { Caller } from '@app/auth';
import { ErrorResponses } from '@app/contract';
import type { PictureRow } from '@app/persistence';
import { Answers } from '@app/serialization';
import { missing, Upload, UploadStore, type UploadedFile } from '@app/service';
import { Controller, Delete, Get, Header, HttpCode, Put, StreamableFile } from '@nestjs/common';
import { Picture } from './pictures.dto';
import { PicturesStore } from './pictures.store';

const png = 'image/png';

@Controller('users/me/picture')
export class PicturesController {
  constructor(
    private readonly pictures: PicturesStore,
    private readonly files: UploadStore,
  ) {}

  /** Replaces the caller's picture. */
  @Put()
  @Answers(Picture)
  replace(
    @Upload({ field: 'picture', types: [png], maxBytes: 2_000_000 }) picture: UploadedFile,
    @Caller() { userId }: SignedInUser,
  ): Promise<PictureRow> {
    return this.pictures.replace(userId, picture);
  }

  /** Sends the caller's picture. */
  @Get()
  @Header('Content-Type', png)
  @Answers('bytes')
  @ErrorResponses(404)
  async read(@Caller() { userId }: SignedInUser): Promise<StreamableFile> {
    const { fileKey, bytes } = (await this.pictures.find(userId)) ?? missing('picture of user', userId);
    return new StreamableFile(this.files.read(fileKey), { length: bytes });
  }

  /** Deletes the caller's picture. */
  @Delete()
  @HttpCode(204)
  @Answers('nothing')
  @ErrorResponses(404)
  async remove(@Caller() { userId }: SignedInUser): Promise<void> {
    if (!(await this.pictures.remove(userId))) missing('picture of user', userId);
  }
}
