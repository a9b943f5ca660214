import type { Flow } from '../../kernel/events/index.ts';
import { openFilesAt } from '../../shared/solutions/media/index.ts';
import { inspect } from '../inspect/index.ts';
import type { KnownName } from './name.ts';

/** What is in the folder of an archive that `prefix` is about, as far as it begins with that. Folders end with `/`. */
export async function* filesIn(archive: string, prefix: string, flow: Flow): AsyncGenerator<KnownName> {
  const typed = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const folder = typed.split('/').filter(Boolean).join('/');
  const opened = await openFilesAt(archive, flow);
  try {
    for await (const { path, type } of opened.tree.walk(folder)) {
      if (flow.signal.aborted) return;
      const last = path.slice(folder === '' ? 0 : folder.length + 1);
      const name = `${typed}${last}`;
      if (!last.includes('/') && name.startsWith(prefix)) yield { name: type === 'dir' ? `${name}/` : name, about: '' };
    }
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

/** The images or the components of an archive. */
export async function* inspected(archive: string, of: 'images' | 'components', flow: Flow): AsyncGenerator<KnownName> {
  const { images, components } = await inspect(archive, flow);
  if (of === 'images') yield* images.map(({ reference }) => ({ name: reference, about: '' }));
  else yield* components.map(({ name, kind }) => ({ name, about: kind }));
}
