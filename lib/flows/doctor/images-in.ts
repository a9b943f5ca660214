import { imageFolder } from '../../parts/node-images/index.ts';
import type { DoctorSurroundings } from './check.ts';

/** The folder that images are put into; undefined where that is none of this machine. */
export function imagesIn({ request, said: { imageFolder: name, imageStore } }: DoctorSurroundings): string | undefined {
  return name === undefined ? imageStore : imageFolder({ name, form: 'tar', cwd: request.folder }).place;
}
