import { bareRootJudge } from './judges/bare-root.ts';
import { clusterJudges } from './judges/cluster.ts';
import { debian, newerDebian } from './judges/debian.ts';
import { emulationJudges } from './judges/emulation.ts';
import { go, goHere } from './judges/go.ts';
import { kernelJudges } from './judges/kernel.ts';
import { oldestNode } from './judges/node.ts';
import { npm } from './judges/npm.ts';
import { type Judge, present, provide, type Way } from './judges/shell.ts';
import { tektonJudge } from './judges/tekton.ts';

// Brings the programs that judge solpack's output in tests, with --node those that a Kubernetes node is made of, and with
// --kernel those that run the Linux kernel. It never fails: what could not be had is said here, and the tests that need
// it say so again.

/** How each judge is installed where it is absent, in the order of trying. tools.ts installs helm and kubectl. */
const judges: Readonly<Record<string, readonly Way[]>> = {
  '7zz': [debian('7zip')],
  actionlint: [go('github.com/rhysd/actionlint/cmd/actionlint@v1.7.12')],
  'axe-core': [npm('axe-core', 'axe.min.js')],
  bash: [debian('bash')],
  blkid: [debian('util-linux')],
  bsdtar: [debian('libarchive-tools')],
  checkisomd5: [debian('isomd5sum')],
  cosign: [go('github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3'), newerDebian('cosign')],
  chromium: [debian('chromium')],
  containerd: [debian('containerd')],
  crane: [go('github.com/google/go-containerregistry/cmd/crane@v0.20.6')],
  curl: [debian('curl')],
  'docker-registry': [debian('docker-registry')],
  'dpkg-query': [debian('dpkg')],
  etcd: [debian('etcd-server')],
  fish: [debian('fish')],
  fuseiso: [debian('fuseiso')],
  genisoimage: [debian('genisoimage')],
  git: [debian('git')],
  'gitlab-ci-local': [npm('gitlab-ci-local', 'dist/index.js')],
  go: [debian('golang-go')],
  implantisomd5: [debian('isomd5sum')],
  isoinfo: [debian('genisoimage')],
  jq: [debian('jq')],
  losetup: [debian('mount')],
  man: [debian('man-db')],
  mandoc: [debian('mandoc')],
  nginx: [debian('nginx-light')],
  'node-oldest': [oldestNode()],
  npm: [debian('npm')],
  'olm-converter': [goHere('olm-converter')],
  openssl: [debian('openssl')],
  oras: [newerDebian('oras')],
  podman: [debian('podman')],
  python3: [debian('python3')],
  'referrers-registry': [goHere('referrers-registry')],
  registry: [go('github.com/distribution/distribution/v3/cmd/registry@v3.1.2')],
  rsync: [debian('rsync')],
  sha256sum: [debian('coreutils')],
  script: [debian('bsdutils')],
  skopeo: [debian('skopeo')],
  'systemd-analyze': [debian('systemd')],
  tar: [debian('tar')],
  tmux: [debian('tmux')],
  umoci: [debian('umoci')],
  versitygw: [go('github.com/versity/versitygw/cmd/versitygw@v1.8.0')],
  xorriso: [debian('xorriso')],
  zsh: [debian('zsh')],
  zstd: [debian('zstd')],
};

const quiet = process.argv.includes('--quiet');

await main();

async function main(): Promise<void> {
  const onPath = Object.entries(judges).map(([name, ways]): [string, Judge] => [
    name,
    { ways, here: () => present(name) },
  ]);
  const more = { '--node': clusterJudges, '--kernel': kernelJudges };
  const asked = Object.entries(more).flatMap(([flag, some]) =>
    process.argv.includes(flag) ? Object.entries(some) : [],
  );
  const others = [
    ['bare root', bareRootJudge] as const,
    ['tekton kinds', tektonJudge] as const,
    ...Object.entries(emulationJudges),
  ];
  const wanted = [...onPath, ...others, ...asked];
  for (const [name, judge] of wanted) {
    const state = await provide(judge);
    if (!quiet || state !== 'present') console.log(`  ${name.padEnd(16)} ${state}`);
  }
}
