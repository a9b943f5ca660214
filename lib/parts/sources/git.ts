import { join } from 'node:path';
import { type GitFolder, isCommit, parseRemoteBase } from '../../../formats/manifest/remote-base.ts';
import { findTool, refused, SolpackError } from '../../kernel/events/index.ts';
import { isLoopback } from '../../kernel/http/index.ts';
import { ProgramError, programBytes, runProgram } from '../../kernel/machine/index.ts';
import { absentSource, movedSource, requestWords } from './failures.ts';
import { packFiles } from './git-files.ts';
import type { BroughtSource, ResolvedSource, SourceContext, SourceKind, SourceRequest } from './kind.ts';
import { sourceLimits } from './limits.ts';
import type { KeptContent } from './store.ts';
import { Unpacking } from './unpack.ts';

/** Milliseconds that git may take for one command. */
const TIMEOUT = 15 * 60_000;

/** Most bytes that git may print where little is expected. */
const OUTPUT = 1024 * 1024;

/** What of the user's settings must not change what is taken, or run programs of the repository. */
const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'protocol.ext.allow=never', 'gc.auto=0'];

/**
 * A commit of a git repository, fetched by git with the user's own settings and logins. Its files are taken as they are
 * stored, whatever the attributes in it say; submodules are left out.
 */
export const git: SourceKind = {
  takes: ({ address, content }) => content === 'folder' && !/^(?:oci|docker):\/\//.test(address),

  resolve: async (request, context): Promise<ResolvedSource> => {
    const { folder, commit } = await parse(request);
    const { digest } = await fetch(request, folder, commit, context);
    return { version: commit, digest };
  },

  bring: async (request, resolved, context): Promise<BroughtSource> => {
    const { folder, commit } = await parse(request);
    const { store, flow } = context;
    const kept = (await store.find(resolved.digest)) ?? (await fetch(request, folder, commit, context));
    if (kept.digest !== resolved.digest) {
      throw movedSource(request, resolved, `the files of ${commit} are ${kept.digest}`);
    }
    const root = await store.scratch();
    const unpacking = new Unpacking(root, requestWords(request), flow.signal);
    await unpacking.addLayer(kept.path);
    await unpacking.end();
    return { path: join(root, folder.path), root, name: folder.repository };
  },
};

async function parse({ address }: SourceRequest): Promise<{ folder: GitFolder; commit: string }> {
  const hint = 'write https://HOST/REPOSITORY//FOLDER?ref=COMMIT';
  const folder = await refused('component-invalid', address, () => parseRemoteBase(address), hint);
  if (folder.kind !== 'git') {
    throw new SolpackError('component-invalid', address, 'is the address of a file, where a folder is needed', {
      hint,
    });
  }
  const { ref, repository } = folder;
  if (ref !== undefined && isCommit(ref)) return { folder, commit: ref };
  const what = ref === undefined ? 'names no commit' : `names the branch or tag ${ref}, which may move`;
  throw new SolpackError('component-invalid', repository, what, {
    hint: `name the commit in full: ref=, and what "git ls-remote ${repository} ${ref ?? 'HEAD'}" prints`,
  });
}

/** Fetches a commit, and keeps its files as one tar archive that is the same whichever git made it. */
async function fetch(
  request: SourceRequest,
  { repository, name }: GitFolder,
  commit: string,
  context: SourceContext,
): Promise<KeptContent> {
  const { connections, store, flow } = context;
  await requireSafe(repository, connections.plainHttp);
  const program = await findTool(flow.host, 'git', 'install git on PATH');
  const folder = await store.scratch();
  const env = environmentOf(repository, connections.gitEnvironment);
  const options = settings.flatMap((setting) => ['-c', setting]);
  const run = async (...args: string[]): Promise<{ code: number | undefined; last: string }> => {
    const ended = await runProgram(program, [...options, '-C', folder, ...args], {
      cwd: folder,
      env,
      timeout: TIMEOUT,
      limit: OUTPUT,
      signal: flow.signal,
      onLine: () => undefined,
    });
    return { code: ended.timedOut ? undefined : ended.code, last: ended.last.join(' ') };
  };
  const format = commit.length === 64 ? ['--object-format=sha256'] : [];
  await run('init', '--quiet', '--bare', '--template=', ...format, '.');
  const fetched = await run('fetch', '--quiet', '--no-tags', '--depth=1', '--', repository, commit);
  // Not every server gives a commit by its name.
  const all = fetched.code === 0 ? fetched : await run('fetch', '--quiet', '--', repository, '+refs/*:refs/all/*');
  if (all.code !== 0) throw failed(request, fetched.last || all.last);
  const found = await run('cat-file', '-e', `${commit}^{commit}`);
  if (found.code !== 0) throw absentSource(request, `${name} has no commit ${commit}`, 'check the commit');
  const archive = ['-c', 'core.attributesFile=/dev/null', '-c', 'tar.umask=0022', 'archive', '--format=tar', commit];
  const bytes = packFiles(folder, () =>
    programBytes(program, [...options, `--git-dir=${folder}`, ...archive], env, flow.signal),
  );
  return store.keep(bytes, sourceLimits.files, requestWords(request)).catch((error) => {
    throw error instanceof ProgramError ? failed(request, error.message) : error;
  });
}

/** Variables that say where a repository is, as git sets them for its hooks. */
const elsewhere = /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_.*)$/;

/** Makes an environment in which git asks nobody anything, and speaks safe protocols alone. */
function environmentOf(repository: string, user: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(user).filter(([name]) => !elsewhere.test(name));
  return {
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: repository.startsWith('http://') ? 'http:https' : 'https:ssh',
    LC_ALL: 'C',
  };
}

async function requireSafe(repository: string, plainHttp: boolean): Promise<void> {
  if (!repository.startsWith('http://') || plainHttp || isLoopback(new URL(repository).hostname)) return;
  throw new SolpackError('component-invalid', repository, 'is fetched without TLS', {
    hint: 'write https://, or allow it with --plain-http',
  });
}

function failed(request: SourceRequest, why: string): SolpackError {
  return new SolpackError(
    'component-absent',
    requestWords(request),
    `git cannot fetch it: ${why || 'it did not end in time'}`,
    {
      hint: 'try "git fetch" by hand; logins, proxies and certificates are those of git\'s own settings',
    },
  );
}
