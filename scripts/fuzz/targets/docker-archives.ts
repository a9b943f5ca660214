import { memory } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { encodeDockerImage, isDockerArchive, readDockerArchive } from '../../../formats/docker-archive/read.ts';
import { openTar } from '../../../formats/tar/read.ts';
import { parsers } from '../parser.ts';
import { damagedTar, type Member, tarOf } from '../tar-members.ts';

const digest = sha256('x');
const config = JSON.stringify({
  os: 'linux',
  architecture: 'arm64',
  rootfs: { type: 'layers', diff_ids: [digest, digest] },
});
const members: readonly Member[] = [
  {
    name: 'manifest.json',
    body: JSON.stringify([
      { Config: 'config.json', RepoTags: ['example.com/web:1'], Layers: ['a/layer.tar', 'b/layer.tar'] },
    ]),
  },
  { name: 'config.json', body: config },
  { name: 'a/layer.tar', body: Buffer.from('1f8b0800', 'hex') },
  { name: 'b/layer.tar', type: '2', link: '../a/layer.tar' },
  { name: 'repositories', body: '{}' },
];

/** Archives as `docker save` writes them. */
export const dockerArchives = parsers(
  'docker-archives',
  40,
  `"Config":¦"RepoTags":null¦"Layers":¦"rootfs":¦"diff_ids":¦${digest}¦config.json¦../¦a/layer.tar`,
  { archive: { samples: [tarOf(members)], damage: damagedTar(members), read } },
);

async function read(bytes: Buffer): Promise<string | undefined> {
  const source = memory(bytes);
  const tree = await openTar(source);
  if (!(await isDockerArchive(tree))) return 'none';
  for (const image of await readDockerArchive(tree, source)) {
    encodeDockerImage(
      image,
      image.layers.map((layer) => layer.digest ?? digest),
    );
  }
  return undefined;
}
