import { parseReference } from '../../../formats/oci/reference.ts';
import type { ImageFiles } from '../../parts/images/index.ts';
import type { FoundParts } from './found.ts';

/** Adds the images of a file or a folder at `path`, as far as their names are references and not taken yet. */
export function addImagesOf({ transport, images }: ImageFiles, path: string, found: FoundParts): void {
  const leave = (reason: string): void => {
    found.left.push({ path, reason });
  };
  if (transport === 'solpack') {
    leave(`an archive of solpack's; source = "solpack:${path}:REFERENCE" takes images from it`);
    return;
  }
  if (path.includes(':')) {
    leave('its path has a colon, which ends the path of an image source');
    return;
  }
  for (const names of images) {
    const name = names.find(isFullName);
    if (name === undefined) {
      if (!names.some((one) => /^sha256-[0-9a-f]{64}/.test(one))) {
        leave(`has an image without a name; source = "${transport}:${path}${names[0] ? `:${names[0]}` : ''}" takes it`);
      }
    } else if (found.images.some(({ reference }) => reference === name)) leave(`has ${name} once more`);
    else found.images.push({ reference: name, source: `${transport}:${path}:${name}` });
  }
}

/** Whether a name is more than a tag. */
function isFullName(name: string): boolean {
  if (!/[/:]/.test(name)) return false;
  try {
    return parseReference(name).repository !== '';
  } catch {
    return false;
  }
}
