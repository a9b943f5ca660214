/** What a test file costs that is too slow for each change, and which changes it is worth running for. */
export interface HeavyFile {
  /** Wall time in seconds on two cores, both busy. */
  readonly seconds: number;
  /** Files and folders of the project: a change below one of them makes this file worth running. */
  readonly watches: readonly string[];
}

const cluster = ['lib/flows/install', 'lib/parts/clusters', 'lib/kernel/plan'] as const;
const iso = ['formats/iso9660', 'lib/parts/archives'] as const;
const node = [...cluster, 'lib/parts/mirrors', 'lib/flows/serve'] as const;

/**
 * The test files that `npm run test:heavy` runs, and `npm run check` only if a change touches what they watch. All
 * other files run with each change. Seconds come from `npm run test:slowest`.
 */
export const heavyFiles: Readonly<Record<string, HeavyFile>> = {
  'test/cli/delta-below.test.ts': {
    seconds: 30,
    watches: [
      'lib/shared/solutions/deltas',
      'lib/parts/archives',
      'lib/kernel/workers',
      'lib/flows/delta',
      'formats/layer-patch',
    ],
  },
  'test/cli/update.test.ts': {
    seconds: 45,
    watches: ['lib/flows/update', 'lib/flows/pack', 'lib/parts/sources', 'formats/solution', 'formats/chart'],
  },
  'test/cli/api-restarted.test.ts': { seconds: 210, watches: [...cluster] },
  'test/cli/two-operators-removal.test.ts': { seconds: 245, watches: [...cluster, 'lib/flows/uninstall'] },
  'test/cli/two-operators.test.ts': { seconds: 90, watches: [...cluster] },
  'test/cli/environments.test.ts': { seconds: 170, watches: [...cluster, 'formats/solution', 'lib/shared/solutions'] },
  'test/cli/rights.test.ts': { seconds: 150, watches: ['lib/flows/rights', 'lib/parts/clusters', 'formats/manifest'] },
  'test/cli/agent-manifests.test.ts': { seconds: 108, watches: ['lib/flows/agent', 'cli/commands/agent.ts'] },
  'test/cli/agent-approval.test.ts': {
    seconds: 90,
    watches: [
      'lib/flows/agent',
      'lib/flows/approval',
      'cli/commands/agent.ts',
      'cli/commands/approval.ts',
      'lib/parts/clusters/kubernetes/agent',
    ],
  },
  'test/cli/agent.test.ts': {
    seconds: 95,
    watches: [
      'lib/flows/agent',
      'cli/commands/agent.ts',
      'lib/parts/clusters/kubernetes/agent',
      'lib/shared/solutions/origin',
    ],
  },
  'test/cli/install-broken-off.test.ts': {
    seconds: 60,
    watches: [...cluster, 'lib/flows/configure', 'cli/commands/install.ts'],
  },
  'test/cli/serve-soak.test.ts': { seconds: 80, watches: ['lib/flows/serve', 'lib/parts/registry-server'] },
  'test/cli/serve-registry.test.ts': {
    seconds: 105,
    watches: ['lib/flows/serve', 'lib/parts/registry-server', 'lib/parts/registries'],
  },
  'test/cli/recipes-page.test.ts': {
    seconds: 40,
    watches: ['docs/recipes.md', 'lib/flows/pack', 'lib/flows/verify', 'lib/flows/delta', 'lib/flows/configure'],
  },
  'test/cli/html-browser.test.ts': { seconds: 40, watches: ['cli/view/html'] },
  'test/cli/completion.test.ts': { seconds: 105, watches: ['cli/completion', 'lib/flows/complete'] },
  'test/cli/registry-media-ways.test.ts': {
    seconds: 85,
    watches: ['lib/shared/solutions/media', 'lib/parts/registries'],
  },
  'test/cli/killed-push.test.ts': {
    seconds: 45,
    watches: ['lib/flows/push', 'lib/parts/registries', 'lib/kernel/http'],
  },
  'test/cli/full-disks.test.ts': {
    seconds: 60,
    watches: [
      'lib/kernel/files/pending-file.ts',
      'lib/kernel/files/held-folder.ts',
      'lib/kernel/files/folder-tree.ts',
      'lib/flows/install',
      'lib/parts/trust',
    ],
  },
  'test/lib/parts/clusters/kubernetes/apply/hooks/interrupted.test.ts': {
    seconds: 180,
    watches: ['lib/parts/clusters/kubernetes/apply/hooks', 'lib/kernel/plan'],
  },
  'test/lib/parts/clusters/kubernetes/interrupted.test.ts': {
    seconds: 168,
    watches: ['lib/parts/clusters', 'lib/kernel/plan'],
  },
  'test/scripts/executable.test.ts': {
    seconds: 106,
    watches: ['scripts/executable', 'scripts/build-bin.ts', 'scripts/pins.json'],
  },
  'test/scripts/fresh-clone.test.ts': {
    seconds: 1500,
    watches: ['scripts/run.mjs', 'scripts/home.ts', 'scripts/judges', 'scripts/build-bin.ts'],
  },
  'test/cli/killed.test.ts': {
    seconds: 100,
    watches: [
      'lib/flows/install',
      'lib/parts/clusters',
      'lib/flows/uninstall',
      'lib/flows/repair',
      'lib/flows/rollback',
    ],
  },
  'test/cli/remote.test.ts': { seconds: 100, watches: ['lib/kernel/http', 'lib/parts/archives', 'lib/flows/inspect'] },
  'test/cli/status.test.ts': {
    seconds: 80,
    watches: [
      'lib/flows/status',
      'lib/parts/clusters/kubernetes/observe/status',
      'lib/flows/repair',
      'lib/flows/uninstall',
    ],
  },
  'test/cli/operator-bundles.test.ts': { seconds: 80, watches: ['formats/bundle', 'lib/parts/components'] },
  'test/cli/install-plan.test.ts': {
    seconds: 75,
    watches: ['lib/flows/install', 'lib/kernel/plan', 'lib/parts/clusters/kubernetes/desired/plan.ts'],
  },
  'test/cli/rollback.test.ts': {
    seconds: 65,
    watches: ['lib/flows/rollback', 'lib/flows/install', 'lib/parts/clusters/kubernetes/memory/generations'],
  },
  'test/cli/metalk8s.test.ts': { seconds: 62, watches: ['formats/metalk8s', 'lib/shared/solutions/metalk8s'] },
  'test/cli/metalk8s-rendered.test.ts': {
    seconds: 35,
    watches: ['formats/metalk8s', 'lib/shared/solutions/metalk8s', 'lib/shared/rendering'],
  },
  'test/cli/metalk8s-view.test.ts': { seconds: 25, watches: ['formats/metalk8s', 'lib/shared/solutions/metalk8s'] },
  'test/cli/operations.test.ts': {
    seconds: 60,
    watches: ['docs/operations.md', 'lib/flows/install', 'lib/parts/clusters'],
  },
  'test/cli/repair-every.test.ts': {
    seconds: 60,
    watches: ['lib/flows/repair', 'lib/flows/status', 'cli/commands/repair.ts', 'cli/commands/status.ts'],
  },
  'test/cli/install-preflight.test.ts': {
    seconds: 60,
    watches: ['lib/parts/clusters/kubernetes/apply/preflight.ts', 'lib/flows/rights', 'lib/flows/install'],
  },
  'test/lib/parts/clusters/kubernetes/server/client/server.test.ts': {
    seconds: 60,
    watches: ['lib/parts/clusters/kubernetes/server/client', 'lib/parts/clusters'],
  },
  'test/cli/plugin-upgrade.test.ts': {
    seconds: 55,
    watches: ['lib/parts/components', 'lib/parts/clusters', 'lib/flows/load'],
  },
  'test/cli/set-pivot.test.ts': {
    seconds: 48,
    watches: ['lib/parts/clusters/kubernetes/apply/await-together.ts', 'lib/flows/install', 'lib/parts/clusters'],
  },
  'test/cli/sets-in-clusters.test.ts': {
    seconds: 40,
    watches: ['formats/resolve', 'lib/flows/resolve', 'lib/shared/solutions', 'lib/parts/clusters'],
  },
  'test/cli/pipelines-page.test.ts': { seconds: 32, watches: ['docs/pipelines.md', 'scripts/image'] },
  'test/cli/keep-drawn.test.ts': {
    seconds: 50,
    watches: ['lib/flows/install', 'lib/shared/rendering', 'lib/parts/components'],
  },
  'test/cli/long-integers.test.ts': {
    seconds: 43,
    watches: ['formats/manifest', 'lib/parts/clusters', 'lib/shared/rendering'],
  },
  'test/cli/bootstrap-executable.test.ts': { seconds: 30, watches: ['docs/bootstrap.md', 'scripts/executable'] },
  'test/cli/node-versions.test.ts': { seconds: 21, watches: ['cli/bin.js', 'scripts/build.ts', 'package.json'] },
  'test/scripts/large.test.ts': {
    seconds: 55,
    watches: ['lib/flows/push', 'lib/parts/registries', 'lib/flows/pack', 'scripts/large.ts'],
  },
  'test/scripts/build.test.ts': { seconds: 33, watches: ['scripts/build.ts', 'scripts/package', 'package.json'] },
  'test/scripts/package.test.ts': { seconds: 28, watches: ['scripts/package', 'package.json', 'package-lock.json'] },
  'test/contracts/iso-huge.test.ts': { seconds: 42, watches: ['formats/iso9660', 'lib/parts/archives'] },
  'test/contracts/registry-quirks.test.ts': {
    seconds: 60,
    watches: ['lib/parts/registries', 'lib/flows/push', 'lib/kernel/http'],
  },
  'test/contracts/push-targets.test.ts': { seconds: 28, watches: ['lib/parts/registries', 'lib/flows/push'] },
  'test/contracts/harbor.test.ts': { seconds: 11, watches: ['lib/parts/registries', 'lib/flows/push'] },
  'test/cli/push-pull.test.ts': { seconds: 66, watches: ['lib/flows/push', 'lib/flows/pull', 'lib/parts/registries'] },
  'test/cli/media.test.ts': {
    seconds: 48,
    watches: ['lib/shared/solutions', 'lib/parts/archives', 'lib/kernel/files/block-device.ts'],
  },
  'test/cli/registry-media.test.ts': { seconds: 28, watches: ['lib/shared/solutions', 'lib/parts/registries'] },
  'test/cli/pack-resume.test.ts': {
    seconds: 48,
    watches: ['lib/flows/pack', 'lib/kernel/files/pending-file.ts', 'lib/kernel/content/copy.ts'],
  },
  'test/lib/flows/pack/resume.test.ts': {
    seconds: 30,
    watches: ['lib/flows/pack', 'lib/kernel/files/pending-file.ts'],
  },
  'test/lib/flows/pack/remote-charts.test.ts': {
    seconds: 42,
    watches: ['lib/flows/pack', 'lib/parts/sources', 'formats/chart'],
  },
  'test/lib/flows/uninstall/interrupted.test.ts': {
    seconds: 50,
    watches: ['lib/flows/uninstall', 'lib/parts/clusters'],
  },
  'test/lib/flows/install/still.test.ts': {
    seconds: 38,
    watches: ['lib/flows/install', 'lib/shared/rendering', 'formats/chart'],
  },
  'test/formats/bundle/convert.test.ts': { seconds: 42, watches: ['formats/bundle'] },
  'test/formats/cel/judged.test.ts': { seconds: 30, watches: ['formats/cel'] },
  'test/cli/attestations.test.ts': {
    seconds: 38,
    watches: ['formats/in-toto', 'lib/parts/trust', 'lib/flows/sign', 'lib/parts/registries'],
  },
  'test/lib/flows/serve/watch.test.ts': { seconds: 26, watches: ['lib/flows/serve'] },
  'test/formats/iso9660/scale.test.ts': { seconds: 16, watches: ['formats/iso9660'] },
  'test/node/interrupted.test.ts': { seconds: 344, watches: [...cluster] },
  'test/node/loader.test.ts': { seconds: 247, watches: ['lib/flows/agent', 'cli/commands/agent.ts', 'lib/flows/load'] },
  'test/node/apply.test.ts': { seconds: 186, watches: [...cluster] },
  'test/node/apply-refusals.test.ts': { seconds: 178, watches: ['lib/parts/clusters', 'formats/kubernetes'] },
  'test/node/images-on-node.test.ts': {
    seconds: 140,
    watches: ['lib/parts/node-images', 'lib/flows/install/delivery'],
  },
  'test/node/agent.test.ts': { seconds: 126, watches: ['lib/flows/agent', 'lib/parts/clusters/kubernetes/agent'] },
  'test/node/helm.test.ts': {
    seconds: 92,
    watches: ['lib/parts/components', 'lib/shared/rendering', 'lib/parts/clusters/kubernetes/apply/hooks'],
  },
  'test/node/lifecycle.test.ts': { seconds: 90, watches: ['scripts/node', 'scripts/node.ts'] },
  'test/node/failures-api.test.ts': { seconds: 90, watches: ['lib/parts/clusters/kubernetes'] },
  'test/node/failures.test.ts': { seconds: 84, watches: [...cluster] },
  'test/node/rolling.test.ts': { seconds: 71, watches: [...node] },
  'test/node/cluster.test.ts': { seconds: 64, watches: ['lib/parts/clusters', 'scripts/node'] },
  'test/node/diagnose.test.ts': { seconds: 61, watches: ['lib/parts/clusters/kubernetes/health/diagnose'] },
  'test/node/seed.test.ts': { seconds: 58, watches: ['lib/flows/seed', 'lib/shared/solutions'] },
  'test/node/owners.test.ts': { seconds: 58, watches: ['lib/parts/clusters/kubernetes'] },
  'test/node/environments.test.ts': {
    seconds: 50,
    watches: ['formats/solution', 'lib/shared/solutions', 'lib/flows/install'],
  },
  'test/node/status.test.ts': {
    seconds: 44,
    watches: ['lib/flows/status', 'lib/parts/clusters/kubernetes/observe/status'],
  },
  'test/node/support-bundle.test.ts': { seconds: 43, watches: ['lib/flows/support-bundle'] },
  'test/node/setup-nodes.test.ts': { seconds: 45, watches: ['lib/flows/setup', 'cli/setup.ts', 'lib/parts/mirrors'] },
  'test/node/setup-service.test.ts': { seconds: 30, watches: ['lib/flows/setup', 'cli/setup.ts', 'lib/flows/serve'] },
  'test/node/serve-registry.test.ts': { seconds: 16, watches: ['lib/flows/serve', 'lib/parts/registry-server'] },
  'test/node/bounds.test.ts': { seconds: 12, watches: ['formats/trust', 'lib/parts/trust'] },
  'test/node/load.test.ts': { seconds: 33, watches: ['lib/flows/load'] },
  'test/node/metalk8s.test.ts': { seconds: 31, watches: ['formats/metalk8s', 'lib/shared/solutions/metalk8s'] },
  'test/node/runtimes.test.ts': { seconds: 12, watches: ['lib/parts/mirrors', 'lib/flows/serve'] },
  'test/node/node.test.ts': { seconds: 30, watches: ['scripts/node'] },
  'test/node/image-places.test.ts': { seconds: 30, watches: ['lib/flows/install/delivery', 'lib/parts/node-images'] },
  'test/kernel/mount.test.ts': { seconds: 100, watches: ['lib/flows/mount', ...iso] },
  'test/kernel/iso9660.test.ts': { seconds: 65, watches: ['formats/iso9660'] },
};

/** Files of `test/node` that run with each change: the first two commands of the README, and the life of a Solution. */
export const mainPath: readonly string[] = [
  'test/node/install.test.ts',
  'test/node/setup.test.ts',
  'test/node/tutorial.test.ts',
];
