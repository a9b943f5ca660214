import { tmpdir } from 'node:os';
import { openArchiveImages } from '../../lib/flows/pack/archive-images.ts';
import { pathFolders } from '../../lib/kernel/events/host.ts';
import type { ImageSourceContext } from '../../lib/parts/images/index.ts';
import { toolFolder } from './judges.ts';

/** What image sources are opened with in `folder`; without a registry, unless `more` has one. */
export function imageContext(folder: string, more: Partial<ImageSourceContext> = {}): ImageSourceContext {
  return {
    folder,
    connect: () => Promise.reject(new Error('this test has no registry')),
    openArchive: openArchiveImages,
    host: { path: [toolFolder, ...pathFolders(process.env['PATH'])], temp: tmpdir() },
    daemons: {},
    ...more,
  };
}
