export { Upload } from './upload.decorator';
export { type UploadedFile, UploadStore } from './upload-store';
export { uploads, type UploadsOptions } from './uploads.plugin';
