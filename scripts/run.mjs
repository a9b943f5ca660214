#!/usr/bin/env node
// Sets this checkout up and runs one of its tasks: node scripts/run.mjs TASK [ARGUMENTS].
// Plain JavaScript that Node 20 understands: it is what brings the Node that all else needs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const cache = join(root, '.cache');
const neededNode = [22, 18];

const judges = ['scripts/judges.ts', '--quiet'];
const nodeJudges = [...judges, '--node'];
const kernelJudges = [...judges, '--kernel'];
const nodePrograms = ['scripts/node.ts', '--if-possible'];
const controlPlane = ['scripts/node.ts', '--control-plane', '--if-possible'];
const build = ['scripts/build.ts'];
const fixtures = ['scripts/images.ts', '--quiet'];
const tools = ['scripts/tools.ts', '--quiet'];

const executables = ['scripts/build-bin.ts'];
const forHere = ['--platform', `${process.platform}-${process.arch}`];
const forTests = [judges, fixtures, tools, controlPlane];
const forNodes = [nodeJudges, fixtures, tools, nodePrograms];
const cliTests = [...tests('test', 'cluster', 'heavy'), 'test/cli'];

/**
 * What each task runs under Node: first the preparations, then the task itself, which gets the arguments; `named` runs in its
 * place where there are arguments. `form` is which solpack tests of whole commands run, unless SOLPACK_UNDER_TEST says it.
 */
const tasks = {
  setup: { before: [tools], run: ['cli/bin.js', '--version'] },
  build: { before: [], run: build },
  'build:bin': { before: [], run: executables },
  'build:deb': { before: [executables], run: ['scripts/build-deb.ts'] },
  'build:image': { before: [tools, executables], run: ['scripts/build-image.ts'] },
  release: { before: [tools], run: ['scripts/release.ts'] },
  demo: { before: [fixtures, tools], run: ['scripts/demo.ts'] },
  'demo:node': {
    before: [['scripts/demo-node.ts', '--may'], nodeJudges, fixtures, tools, nodePrograms],
    run: ['scripts/demo-node.ts'],
  },
  // The gate's tests; arguments name files, which may be heavy ones.
  test: {
    form: 'package',
    before: [...forTests, build],
    run: tests('formats', 'lib', 'test'),
    named: tests('formats', 'lib', 'test', 'cluster', 'heavy'),
  },
  'test:cluster': { form: 'package', before: [...forTests, build], run: tests('cluster') },
  'test:node': {
    form: 'package',
    before: [...forNodes, build],
    run: tests('node'),
    named: tests('node', 'node-heavy'),
  },
  'test:kernel': { before: [kernelJudges], run: tests('kernel') },
  'test:bin': {
    form: 'bin',
    before: [...forTests, [...executables, ...forHere]],
    run: cliTests,
    named: tests('formats', 'lib', 'test', 'cluster', 'heavy'),
  },
  // Heavy files that a change is worth, and those that run before a release: scripts/check.ts and scripts/heavy.ts.
  'test:files': { form: 'package', before: [...forNodes, build], run: tests('heavy', 'node-heavy') },
  'test:all': { before: forTests, run: tests('formats', 'lib', 'test', 'cluster', 'heavy') },
  'test:node-all': { before: forNodes, run: tests('node', 'node-heavy') },
  'test:heavy': { before: [], run: ['scripts/heavy.ts'] },
  'test:conformance': { before: [fixtures, tools], run: ['scripts/conformance.ts'] },
  'test:slowest': { before: [], run: ['scripts/slowest.ts'] },
  check: { before: [], run: ['scripts/check.ts'] },
  bench: { before: [], run: ['scripts/bench.ts'] },
  large: { before: [], run: ['scripts/large.ts'] },
  plant: { before: [...forTests, build], run: ['scripts/plant.ts'] },
  fuzz: { before: [], run: ['scripts/fuzz.ts'] },
  node: { before: [nodeJudges, tools], run: ['scripts/node.ts'] },
  judges: { before: [], run: ['scripts/judges.ts'] },
  fixtures: { before: [tools], run: ['scripts/images.ts'] },
  patterns: { before: [], run: ['scripts/patterns.ts'] },
  docs: { before: [], run: ['scripts/docs.ts'] },
  lint: { before: [], run: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--reporter=summary'] },
  types: { before: [], run: ['node_modules/typescript/bin/tsc', '--noEmit'] },
};

process.exitCode = await main(process.argv.slice(2));

async function main([name = '', ...args]) {
  if (!Object.hasOwn(tasks, name)) {
    console.error(`usage: node scripts/run.mjs ${Object.keys(tasks).join('|')} [arguments]`);
    return 2;
  }
  const { before, run, named = run, form } = tasks[name];
  const release = lock();
  let node;
  try {
    node = runtime();
    packages(node);
    for (const step of before) {
      const code = await start(node, step);
      if (code !== 0) return code;
    }
  } catch (error) {
    console.error(`setup: ${error.message}`);
    return 1;
  } finally {
    release();
  }
  if (form) process.env.SOLPACK_UNDER_TEST ??= form;
  return start(node, [...(args.length > 0 ? named : run), ...args]);
}

/** Runs the tests of some lanes. */
function tests(...lanes) {
  return ['node_modules/vitest/vitest.mjs', 'run', ...lanes.flatMap((lane) => ['--project', lane])];
}

/** The Node that everything runs on: this one if it is new enough, else one that npm brings. */
function runtime() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > neededNode[0] || (major === neededNode[0] && minor >= neededNode[1])) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const folder = join(root, 'scripts/runtime');
  if (!existsSync(join(folder, `node_modules/node-${platform}/bin/node`))) {
    if (!['linux-x64', 'linux-arm64'].includes(platform)) {
      throw new Error(
        `Node.js ${neededNode.join('.')} or newer is needed and this is ${process.versions.node}; ` +
          `there is no package of it for ${platform}: install Node.js 24 and run this again`,
      );
    }
    console.error(`setup: Node.js 24 for this checkout (this one is ${process.versions.node}, too old)`);
    install(process.execPath, folder);
  }
  return join(folder, `node_modules/node-${platform}/bin/node`);
}

/** Installs the packages that package-lock.json names, unless they are the ones installed last. */
function packages(node) {
  const stamp = join(root, 'node_modules/.solpack-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('setup: packages of package-lock.json');
  install(node, root);
  writeFileSync(stamp, wanted);
}

/**
 * Runs `npm ci` in `folder`. npm takes an optional package that cannot be fetched for one that is not wanted and ends
 * well, but what is optional here is what this platform runs on: where such a package is missing, it is tried again.
 */
function install(node, folder) {
  const { packages: locked } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  for (let attempt = 1; ; attempt += 1) {
    npm(node, ['ci', '--prefix', folder]);
    const missing = Object.keys(locked).filter((path) => isForHere(locked[path]) && !existsSync(join(folder, path)));
    if (missing.length === 0) return;
    const names = missing.map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)).join(', ');
    if (attempt === 3) throw new Error(`npm did not fetch ${names}: is its registry reachable? Run this again`);
    console.error(`setup: npm did not fetch ${names}; trying again`);
  }
}

/** Whether a package of a lock file is one that this platform, and no other, needs. */
function isForHere({ os, cpu, libc }) {
  const ourLibc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  const allows = (list, value) => list === undefined || [list].flat().includes(value);
  const bound = os !== undefined || cpu !== undefined;
  return bound && allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, ourLibc);
}

function npm(node, args) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const ended = spawnSync('npm', [...args, ...quiet], { cwd: root, env: environment(node), encoding: 'utf8' });
  if (ended.error) throw new Error(`npm cannot be run: ${ended.error.message}`);
  if (ended.status === 0) return;
  throw new Error(`npm ${args.join(' ')} ended with ${ended.status ?? ended.signal}\n${ended.stderr}${ended.stdout}`);
}

/** This environment, with the project's own programs first on PATH. */
function environment(node) {
  const own = [join(cache, 'bin'), join(root, 'node_modules/.bin'), dirname(node)];
  return { ...process.env, PATH: [...own, process.env.PATH ?? ''].join(delimiter) };
}

/** Runs Node on `args` with this terminal; gives its exit code. */
function start(node, args) {
  return new Promise((settle) => {
    const child = spawn(node, args, { cwd: root, env: environment(node), stdio: 'inherit' });
    const pass = (signal) => child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    const end = (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      settle(code);
    };
    child.on('error', (error) => {
      console.error(`setup: ${node} cannot be run: ${error.message}`);
      end(1);
    });
    child.on('exit', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** Waits until no other run sets this checkout up, then keeps others waiting. A run that died holds nobody up. */
function lock() {
  mkdirSync(cache, { recursive: true });
  const path = join(cache, 'setup.lock');
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let isReported = false; ; isReported = true) {
      try {
        linkSync(own, path);
        return () => rmSync(path, { force: true });
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      if (!alive(path)) rmSync(path, { force: true });
      else if (!isReported) console.error('setup: waiting for another run that sets this checkout up');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Whether the process that wrote the lock still runs. */
function alive(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
