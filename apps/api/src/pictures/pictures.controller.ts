import type { SignedInUser } from '@app/accounts';
import { Caller } from '@app/auth';
import { ErrorResponses, Returns } from '@app/contract';
import { missing } from '@app/service';
import { Upload, UploadStore, type UploadedFile } from '@app/uploads';
import { Controller, Delete, Get, Header, HttpCode, Logger, Put, StreamableFile } from '@nestjs/common';
import { Picture } from './pictures.dto';
import { PicturesStore } from './pictures.store';
import type { PictureRow } from './pictures.table';

const png = 'image/png';

/** The caller's picture. */
@Controller('users/me/picture')
export class PicturesController {
  private readonly logger = new Logger('Pictures');

  constructor(
    private readonly pictures: PicturesStore,
    private readonly files: UploadStore,
  ) {}

  /** Replaces the caller's picture. */
  @Put()
  @Returns(Picture)
  replace(
    @Upload({ field: 'picture', types: [png], maxBytes: 2_000_000 }) picture: UploadedFile,
    @Caller() { userId }: SignedInUser,
  ): Promise<PictureRow> {
    return this.pictures.replace(userId, picture);
  }

  /** Sends the caller's picture. */
  @Get()
  @Header('Content-Type', png)
  // A file that is a picture by its first bytes may be a document by others: a browser saves it.
  @Header('Content-Disposition', 'attachment; filename="picture.png"')
  @Returns('bytes')
  @ErrorResponses(404)
  async read(@Caller() { userId }: SignedInUser): Promise<StreamableFile> {
    const { id, fileKey, bytes } = (await this.pictures.find(userId)) ?? missing('picture of user', userId);
    const content = await this.files.read(fileKey);
    if (content !== undefined) return new StreamableFile(content, { length: bytes });
    this.logger.error({ picture: id, fileKey, msg: 'picture file missing' });
    return missing('picture of user', userId);
  }

  /** Deletes the caller's picture. */
  @Delete()
  @HttpCode(204)
  @Returns('nothing')
  @ErrorResponses(404)
  async remove(@Caller() { userId }: SignedInUser): Promise<void> {
    if (!(await this.pictures.remove(userId))) missing('picture of user', userId);
  }
}
