import { FormatError } from '../../../formats/error.ts';

/** Where a file-based catalog is, and what is asked of it. */
export interface CatalogAddress {
  /** The reference of its image; undefined for a folder. */
  readonly image: string | undefined;
  /** The path of its folder; undefined for an image. */
  readonly folder: string | undefined;
  /** Undefined if the catalog is expected to have one package. */
  readonly packageName: string | undefined;
}

/**
 * Reads `catalog://REFERENCE//PACKAGE` or `catalog:FOLDER//PACKAGE`. Throws `FormatError` `address-invalid`.
 */
export function parseCatalogAddress(address: string): CatalogAddress {
  const isImage = address.startsWith('catalog://');
  const rest = address.slice(isImage ? 'catalog://'.length : 'catalog:'.length);
  const at = rest.lastIndexOf('//');
  const place = at < 0 ? rest : rest.slice(0, at);
  const packageName = at < 0 ? undefined : rest.slice(at + 2);
  if (place === '' || packageName === '') {
    const forms = 'write catalog://REFERENCE//PACKAGE, or catalog:FOLDER//PACKAGE';
    throw new FormatError('address-invalid', `names no ${place === '' ? 'catalog' : 'package'}: ${forms}`);
  }
  return { image: isImage ? place : undefined, folder: isImage ? undefined : place, packageName };
}
