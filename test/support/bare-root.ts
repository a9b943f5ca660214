import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { bareRoot } from '../../scripts/home.ts';
import { type Outcome, run } from './judges.ts';

/** Why no bare root can be entered here; undefined where one can. */
function absence(): string | undefined {
  if (process.geteuid?.() !== 0) return 'needs root';
  return existsSync(bareRoot) ? undefined : 'needs the bare Debian root of npm run judges';
}

/** A test on a bare Debian root. Where none can be entered it is named in the closing list "not judged here". */
export function bareRootTest(name: string, work: (context: TestContext) => Promise<void>, timeout = 600_000): void {
  test(name, { timeout }, async (context) => {
    const absent = absence();
    if (absent === undefined) return work(context);
    if (process.env['SOLPACK_REQUIRE_TOOLS'] === '1' && absent !== 'needs root')
      throw new Error(`not judged: ${absent}`);
    context.skip(absent);
  });
}

/** A machine that has a shell, mount, sha256sum and openssl, and no other program, and no network. */
export interface BareMachine {
  /** What is mounted at /mnt, read only. */
  readonly medium: string;
  /** What is in /media/usb. */
  readonly stick: string;
  /**
   * Runs a script by its shell, as root. With `socket`, connections to 127.0.0.1 at `port` end at that socket of
   * another network; all other addresses are out of reach also then.
   */
  run(script: string, reached?: { readonly socket: string; readonly port: number }): Promise<Outcome>;
}

/**
 * Hands connections to a port of 127.0.0.1 over to a socket: what the machine has beside its own programs is not in its
 * root.
 */
const forwarder = `const net = require('node:net');
const [socket, port] = process.argv.slice(1);
net.createServer((one) => {
  const other = net.connect(socket);
  for (const each of [one, other]) each.on('error', () => { one.destroy(); other.destroy(); });
  one.pipe(other).pipe(one);
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));`;

/**
 * Makes such a machine in `folder`. Many kernels of test machines have no isofs: so whoever tests lays out the medium,
 * and `mount` only looks whether it is asked for what a page says. That Linux reads an image as other programs do is
 * tested in test/kernel.
 */
export function bareMachine(folder: string, mounts: string): BareMachine {
  const [root, medium, stick] = ['root', 'medium', 'stick'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  rmSync(root, { recursive: true, force: true });
  cpSync(bareRoot, root, { recursive: true, verbatimSymlinks: true });
  for (const each of [medium, stick]) mkdirSync(each, { recursive: true });
  rmSync(join(root, 'usr/bin/mount'));
  const standIn = `#!/bin/sh\n[ "$*" = "${mounts}" ] || { echo "mount: $*: nothing is there" >&2; exit 32; }\n`;
  writeFileSync(join(root, 'usr/bin/mount'), standIn, { mode: 0o755 });
  const enter = [
    'mount --bind /dev "$0/dev"',
    'mount -t proc proc "$0/proc"',
    'mount --bind "$1" "$0/mnt"',
    'mount -o remount,bind,ro "$0/mnt"',
    'mount --bind "$2" "$0/media/usb"',
    'exec env -i HOME=/root PATH=/usr/bin:/usr/sbin chroot "$0" /usr/bin/sh /root/script',
  ].join(' && ');
  return {
    medium,
    stick,
    run: (script, reached) => {
      writeFileSync(join(root, 'root/script'), script);
      const forwarding = reached
        ? `ip link set lo up && { node -e "$3" "$4" "$5" > "$0/listening" & } && until [ -s "$0/listening" ]; do sleep 0.1; done && `
        : '';
      const more = reached ? [forwarder, reached.socket, String(reached.port)] : [];
      const words = ['sh', '-c', forwarding + enter, root, medium, stick, ...more];
      const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
      return run('unshare', ['--net', '--mount', '--pid', '--fork', '--kill-child', ...words], { env: { PATH: path } });
    },
  };
}
