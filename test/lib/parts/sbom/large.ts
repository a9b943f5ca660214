import type { Bytes } from '../../../../formats/bytes.ts';
import { makeSbom } from '../../../support/make-sbom.ts';
import { entry } from '../../../support/tar.ts';

/** Makes the document of an image with a layer of as many MiB as the first argument says; prints what that took. */
const MIB = 1024 * 1024;
const size = Number(process.argv[2]) * MIB;
const npm = (name: string): Buffer =>
  entry(`node_modules/${name}/package.json`, { body: JSON.stringify({ name, version: '1.0.0' }) });

async function* layer(): Bytes {
  yield npm('first');
  const content = Buffer.alloc(MIB, 'not a program ');
  // One file is an ELF file without build information, of which all has to be looked at.
  for (const head of ['\x7fELF', 'text']) {
    yield entry(head.slice(1), { size: size / 2 }).subarray(0, 512);
    yield Buffer.concat([Buffer.from(head, 'latin1'), content.subarray(4)]);
    for (let at = MIB; at < size / 2; at += MIB) yield content;
  }
  yield npm('last');
}

const { bytes } = await makeSbom({
  digest: `sha256:${'0'.repeat(64)}`,
  layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', open: layer }],
});
const found: { components: { name: string }[] } = JSON.parse(Buffer.from(bytes).toString());
const names = found.components.map(({ name }) => name);
process.stdout.write(JSON.stringify({ names, peak: process.resourceUsage().maxRSS * 1024 }));
