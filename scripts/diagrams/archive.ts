import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CarrierFile } from '../../lib/parts/archives/carrier-file.ts';
import { archivePaths, carrierFiles } from '../../lib/parts/archives/files.ts';
import { carriers, openArchive } from '../../lib/parts/archives/index.ts';
import { root } from '../home.ts';

/** The archive that is drawn: the test vector that has everything. */
const VECTOR = 'fixtures/vectors/installer.iso.gz';

/** The kinds of files in an archive: a name, what it is, and which files it has; the first that a file fits counts. */
const kinds: readonly [name: string, words: string, fits: (file: CarrierFile, mediaType: string) => boolean][] = [
  [
    'oci-layout, index.json',
    'an OCI image layout: skopeo, oras and runtimes read it',
    ({ path }) => /^(?:oci-layout|index\.json)$/.test(path),
  ],
  ['manifest.yaml', 'name and version, for people and for MetalK8s', ({ path }) => path === 'manifest.yaml'],
  [
    archivePaths.root,
    'the root: everything else follows from it and is proved by it',
    ({ path, content }) => path === archivePaths.root || (path.startsWith('blobs/') && content.kind === 'bytes'),
  ],
  [archivePaths.sums, 'for sha256sum -c', ({ path }) => path === archivePaths.sums],
  [
    archivePaths.slot(0).replace('0', 'N'),
    'slots for signatures of the root',
    ({ content }) => content.kind === 'slot',
  ],
  [
    'manifests',
    'what the root names by digest',
    ({ key }, type) => key.startsWith('sha256:') && /manifest|index/.test(type),
  ],
  ['configs', 'what manifests name by digest', (_, type) => /config|metadata|empty/.test(type)],
  [
    'files of the Solution',
    'Kubernetes manifests, charts, plugins, an installer',
    (_, type) => /solpack\.(?:solution|installer)/.test(type),
  ],
  ['layers of images', 'each once, as they were published', ({ path }) => path.startsWith('blobs/')],
];

/** Makes the graph of an archive: what lies in it, in the order of its bytes. */
export async function archiveGraph(): Promise<string> {
  const cells = (await rowsOf()).map(([name, words], index, { length }) => {
    const line = index === length - 1 ? 'border="0"' : 'border="1" sides="b"';
    return `<tr><td align="left" width="270" ${line}><b>${name}</b></td><td align="left" width="430" ${line}>${words}</td></tr>`;
  });
  const label = `<table border="0" cellborder="0" cellspacing="0" cellpadding="8">${cells.join('')}</table>`;
  return `digraph {\n  archive [class="main", margin="0.05,0.05", label=<${label}>];\n}`;
}

/** Lists the kinds of files in the order in which they lie in the archive. */
async function rowsOf(): Promise<(readonly [name: string, words: string])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solpack-diagram-'));
  try {
    const path = join(folder, 'a.iso');
    writeFileSync(path, gunzipSync(readFileSync(join(root, VECTOR))));
    const archive = await openArchive(path);
    try {
      const found = new Map<string, string>();
      for (const file of carrierFiles(archive.catalog, carriers.iso)) {
        const type = file.content.kind === 'blob' ? file.content.descriptor.mediaType : '';
        const kind = kinds.find(([, , fits]) => fits(file, type));
        if (kind === undefined) throw new Error(`no words for ${file.path} of an archive`);
        found.set(kind[0], kind[1]);
      }
      return [...found];
    } finally {
      await archive.file.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
