import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { find, ok, run } from '../judges.ts';
import type { Service } from './site.ts';

/** Runs a pipeline by gitlab-ci-local: it checks it by GitLab's schema, and gives each job a folder of its own. */
export const gitLab: Service = async (pipeline, { checkout, service, repository, secrets, env, tag }) => {
  writeFileSync(join(checkout, '.gitlab-ci.yml'), pipeline);
  await ok('git', ['add', '--all'], { cwd: checkout });
  await ok('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'hello'], { cwd: checkout });
  const files = { RELEASE_KEY: secrets.key, RELEASE_PASSPHRASE: secrets.passphrase, REGISTRY_AUTH: secrets.auth };
  const variables = {
    ...Object.fromEntries(
      Object.entries(files).map(([name, value]) => [name, { type: 'file', values: { '*': `${value}\n` } }]),
    ),
    REPOSITORY: repository,
    SOLPACK_IMAGE: 'solpack',
    ...(tag ? { CI_COMMIT_TAG: 'v1.0.0' } : {}),
  };
  mkdirSync(join(service, '.gitlab-ci-local'));
  writeFileSync(join(service, '.gitlab-ci-local/variables.yml'), stringify({ global: variables }));
  const words = ['--home', service, '--state-dir', '.gitlab-ci-local', '--force-shell-executor', '--shell-isolation'];
  // It needs the Node.js that tests run on.
  const { code, stdout, stderr } = await run(process.execPath, [find('gitlab-ci-local')!, ...words], {
    cwd: checkout,
    env,
  });
  const log = `${stdout}${stderr}`;
  const artifacts = join(checkout, '.gitlab-ci-local/artifacts');
  const kept = (existsSync(artifacts) ? readdirSync(artifacts) : []).flatMap((job) =>
    readdirSync(join(artifacts, job)),
  );
  const [, step, exit] = /^(\S+) +finished in .* FAIL (\d+)/m.exec(log) ?? [];
  const failed = { step: step ?? 'unknown', code: Number(exit ?? code) };
  return { ...(code === 0 ? {} : { failed }), log, kept: [...new Set(kept)].sort() };
};
