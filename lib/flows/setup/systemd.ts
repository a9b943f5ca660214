import { type Flow, findTool, SolpackError } from '../../kernel/events/index.ts';
import { runProgram } from '../../kernel/machine/index.ts';

/** Where units of the administrator are (systemd.unit(5), "Unit File Load Path"). */
export const UNITS = '/etc/systemd/system';

/** Whether a unit is started with the machine, and runs now. */
export interface UnitState {
  readonly enabled: boolean;
  readonly active: boolean;
}

/** Asks systemd about a unit. Throws `tool-missing`. */
export async function stateOf(unit: string, flow: Flow): Promise<UnitState> {
  const [enabled, active] = [await systemctl(['is-enabled', unit], flow), await systemctl(['is-active', unit], flow)];
  return { enabled: enabled.code === 0, active: active.code === 0 };
}

/** Has systemd start a unit anew, and with the machine. Throws `tool-missing`, `tool-failed`. */
export async function startService(unit: string, flow: Flow): Promise<void> {
  await must(['daemon-reload'], flow);
  await must(['enable', unit], flow);
  await must(['restart', unit], flow);
}

/** Ends a unit, and has it no longer started. A unit that is not there is no error. Throws `tool-missing`. */
export async function stopService(unit: string, flow: Flow): Promise<void> {
  await systemctl(['disable', '--now', unit], flow);
}

/** Has systemd read its units anew. Throws `tool-missing`, `tool-failed`. */
export async function reloadUnits(flow: Flow): Promise<void> {
  await must(['daemon-reload'], flow);
}

async function must(args: readonly string[], flow: Flow): Promise<void> {
  const { code, last } = await systemctl(args, flow);
  if (code === 0) return;
  const unit = args[1] === undefined ? '' : `; "journalctl -u ${args[1]}" shows more`;
  throw new SolpackError(
    'tool-failed',
    `systemctl ${args.join(' ')}`,
    last.join('; ') || `ended with ${code ?? 'a signal'}`,
    {
      hint: `fix that, and run the same command again${unit}`,
    },
  );
}

async function systemctl(args: readonly string[], { host, signal }: Flow): ReturnType<typeof runProgram> {
  const program = await findTool(host, 'systemctl', 'it comes with systemd, which keeps the service running');
  const options = { cwd: '/', env: {}, timeout: 60_000, limit: 64 * 1024, signal, onLine: () => undefined };
  return runProgram(program, [...args], options);
}
