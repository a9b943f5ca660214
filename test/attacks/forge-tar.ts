import { seal } from '../support/tar.ts';

const BLOCK = 512;

/** An entry of a tar archive: where its header and its content begin, and where it ends. */
export interface TarPlace {
  readonly name: string;
  readonly header: number;
  readonly body: number;
  readonly end: number;
}

/** The entries of an archive that solpack wrote: no name needs more than its header. */
export function entriesOf(archive: Buffer): TarPlace[] {
  const places: TarPlace[] = [];
  for (let header = 0; archive[header] !== 0; header = places.at(-1)!.end) {
    const field = archive.subarray(header, header + 100);
    const zero = field.indexOf(0);
    const size = Number.parseInt(archive.toString('latin1', header + 124, header + 135), 8);
    const body = header + BLOCK;
    const end = body + BLOCK * Math.ceil(size / BLOCK);
    places.push({ name: field.toString('utf8', 0, zero < 0 ? 100 : zero), header, body, end });
  }
  return places;
}

/** The entry of that name. */
export function entryOf(archive: Buffer, name: string): TarPlace {
  const found = entriesOf(archive).find((entry) => entry.name === name);
  if (!found) throw new Error(`there is no entry ${name}`);
  return found;
}

/** The archive with `more` behind its last entry. */
export function withEntry(archive: Buffer, more: Uint8Array): Buffer {
  const end = entriesOf(archive).at(-1)!.end;
  return Buffer.concat([archive.subarray(0, end), more, archive.subarray(end)]);
}

/** The archive without an entry. */
export function withoutEntry(archive: Buffer, name: string): Buffer {
  const { header, end } = entryOf(archive, name);
  return Buffer.concat([archive.subarray(0, header), archive.subarray(end)]);
}

/** Changes the header of an entry, and makes its checksum right again. */
export function editHeader(archive: Buffer, name: string, edit: (block: Buffer) => void): void {
  const { header } = entryOf(archive, name);
  const block = archive.subarray(header, header + BLOCK);
  edit(block);
  seal(block);
}
