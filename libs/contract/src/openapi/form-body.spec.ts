import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Components } from '../components';
import { acceptedFiles } from '../lock/accepted-members';
import { compareRules } from '../lock/compare-rules';
import { formBody } from './form-body';

class Caption {
  @IsString() caption!: string;
  @Type(() => Number) @IsInt() @Min(1) @Max(9) @IsOptional() place?: number;
}

const picture = {
  field: 'picture',
  types: ['image/png', 'image/jpeg'],
  maxBytes: 2000,
  maxFiles: 1,
  isList: false,
};

describe('the form of an upload', () => {
  it('describes its file, with its types and its size', () => {
    expect(formBody(picture, undefined, new Components(), 'PUT /picture')).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              picture: {
                type: 'string',
                format: 'binary',
                description: 'A file of one of these types: image/png, image/jpeg, of at most 2000 bytes.',
              },
            },
            required: ['picture'],
            additionalProperties: false,
          },
          encoding: { picture: { contentType: 'image/png, image/jpeg' } },
        },
      },
    });
  });

  it('describes several files of any type, and the fields of its class', () => {
    const several = { ...picture, types: [], maxFiles: 3, isList: true };
    const { content } = formBody(several, { type: Caption, groups: [] }, new Components(), 'PUT /picture');
    const file = { type: 'string', format: 'binary', description: 'A file of at most 2000 bytes.' };
    expect(content).toMatchObject({
      'multipart/form-data': {
        schema: {
          properties: {
            picture: { type: 'array', items: file, minItems: 1, maxItems: 3 },
            caption: { type: 'string' },
            place: { type: 'integer', minimum: 1, maximum: 9 },
          },
          required: ['picture', 'caption'],
        },
      },
    });
  });

  it('is in the lock, by which a wider one is found', () => {
    const locked = acceptedFiles(picture);
    expect(locked).toEqual({
      'files.picture': ['maxBytes(2000)', 'maxFiles(1)', 'isIn(["image/png","image/jpeg"])'],
    });
    const wider = acceptedFiles({ ...picture, maxBytes: 3000, types: ['image/png'] });
    expect(
      compareRules('files.picture', locked['files.picture'] ?? [], wider['files.picture'] ?? []),
    ).toEqual([
      { isWider: true, line: 'loosens files.picture from maxBytes(2000) to maxBytes(3000)' },
      {
        isWider: false,
        line: 'tightens files.picture from isIn(["image/png","image/jpeg"]) to isIn(["image/png"])',
      },
    ]);
  });
});
